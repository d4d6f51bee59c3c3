package io.skep.itests.faults;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/** A temporary fault of a part of a site. */
enum Fault {
    DAEMON_KILLED {
        @Override
        Repair inject(StreamSite site, RandomGenerator random) throws IOException, InterruptedException {
            int daemon = random.nextInt(site.daemonCount());
            site.daemon(daemon).kill();
            return () -> site.startDaemon(daemon);
        }
    },
    DAEMON_STOPPED {
        @Override
        Repair inject(StreamSite site, RandomGenerator random) throws IOException, InterruptedException {
            int daemon = random.nextInt(site.daemonCount());
            site.daemon(daemon).signal("STOP");
            return () -> site.daemon(daemon).signal("CONT");
        }
    },
    DAEMON_RESTARTED {
        @Override
        Repair inject(StreamSite site, RandomGenerator random) throws IOException, InterruptedException {
            int daemon = random.nextInt(site.daemonCount());
            site.daemon(daemon).process().destroy();
            site.daemon(daemon).process().waitFor();
            return () -> site.startDaemon(daemon);
        }
    },
    SERVER_KILLED {
        @Override
        Repair inject(StreamSite site, RandomGenerator random) throws IOException, InterruptedException {
            int server = random.nextInt(site.serverCount());
            site.server(server).process().destroyForcibly().waitFor();
            return () -> site.startServer(server);
        }
    },
    SERVER_STOPPED {
        @Override
        Repair inject(StreamSite site, RandomGenerator random) throws IOException, InterruptedException {
            int server = random.nextInt(site.serverCount());
            site.server(server).signal("STOP");
            return () -> site.server(server).signal("CONT");
        }
    },
    DAEMONS_CUT {
        @Override
        Repair inject(StreamSite site, RandomGenerator random) throws IOException {
            NetworkLab network = site.network().orElseThrow();
            int one = random.nextInt(site.daemonCount());
            int other = (one + 1 + random.nextInt(site.daemonCount() - 1)) % site.daemonCount();
            network.cut(site.host(one), site.host(other));
            return network::heal;
        }
    },
    SERVERS_CUT_FROM_A_DAEMON {
        @Override
        Repair inject(StreamSite site, RandomGenerator random) throws IOException {
            NetworkLab network = site.network().orElseThrow();
            network.cut(NetworkLab.HERE, site.host(random.nextInt(site.daemonCount())));
            return network::heal;
        }
    },
    SLOW_LINK {
        @Override
        Repair inject(StreamSite site, RandomGenerator random) throws IOException {
            NetworkLab network = site.network().orElseThrow();
            String host = site.host(random.nextInt(site.daemonCount()));
            network.slowDown(host, 2 + random.nextInt(8));
            return () -> network.speedUp(host);
        }
    };

    /** Ends a fault and restores the part that it affected. */
    @FunctionalInterface
    interface Repair {
        void run() throws IOException, InterruptedException;
    }

    /** Returns the faults that can be injected at a site. */
    static List<Fault> possible(StreamSite site) {
        List<Fault> all = new ArrayList<>(List.of(values()));
        if (site.network().isEmpty()) {
            all.removeAll(List.of(DAEMONS_CUT, SERVERS_CUT_FROM_A_DAEMON, SLOW_LINK));
        }
        return all;
    }

    abstract Repair inject(StreamSite site, RandomGenerator random) throws IOException, InterruptedException;
}
