package io.skep.llap.server;

import io.skep.storage.scan.PageSourceFactory;
import io.skep.storage.write.PageSinkFactory;

/**
 * How a daemon's tasks read and write tables.
 *
 * @param cached reads through the cache
 * @param direct reads files without it, for queries that say so
 */
public record DaemonStorage(PageSourceFactory cached, PageSourceFactory direct, PageSinkFactory sinks) {}
