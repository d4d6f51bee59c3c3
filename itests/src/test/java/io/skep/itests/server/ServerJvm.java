package io.skep.itests.server;

import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import javax.management.MBeanServerConnection;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/** The JVM of a server's process, read through its own management interface. */
public final class ServerJvm implements AutoCloseable {
    /**
     * One collection may leave objects that only the next one recognizes as garbage, such as objects whose references
     * it has cleared.
     */
    private static final int COLLECTIONS = 3;

    private final JMXConnector connector;
    private final MBeanServerConnection beans;
    private final MemoryMXBean memory;

    @SuppressWarnings("BanJNDI") // the address of a JVM of this test
    public ServerJvm(long pid) throws IOException, AttachNotSupportedException {
        VirtualMachine machine = VirtualMachine.attach(Long.toString(pid));
        try {
            connector = JMXConnectorFactory.connect(new JMXServiceURL(machine.startLocalManagementAgent()));
        } finally {
            machine.detach();
        }
        beans = connector.getMBeanServerConnection();
        memory = ManagementFactory.getPlatformMXBean(beans, MemoryMXBean.class);
    }

    public MBeanServerConnection beans() {
        return beans;
    }

    /** Returns the used heap after garbage collections. */
    public long heapBytes() {
        for (int i = 0; i < COLLECTIONS; i++) {
            memory.gc();
        }
        return memory.getHeapMemoryUsage().getUsed();
    }

    @Override
    public void close() throws IOException {
        connector.close();
    }
}
