package io.skep.llap.client.rpc;

import java.time.Duration;
import java.util.Optional;

/**
 * The parts that all connections of a connector share.
 *
 * @param secret proves this process to daemons and them to it, if the site has one
 * @param timeout the silence after which a daemon is lost
 * @param files the files of plans, for daemons that ask for them
 */
record ConnectionParts(
        Optional<SharedSecret> secret, Duration timeout, RpcThreads threads, PageCodec pages, PlanFiles files) {
    PageReceiver newReceiver() {
        return new PageReceiver(threads.workers(), threads.largePages(), pages.decode());
    }
}
