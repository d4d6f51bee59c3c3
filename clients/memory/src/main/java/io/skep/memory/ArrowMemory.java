package io.skep.memory;

import java.lang.reflect.Field;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * Memory outside the heap, by address. The clients' jars have this class in the place of Arrow's
 * {@code org.apache.arrow.memory.util.MemoryUtil}, with its methods. Arrow's makes buffers with a private constructor
 * of the JVM, so that each program would have to be started with {@code --add-opens=java.base/java.nio=ALL-UNNAMED}.
 * This one duplicates an empty buffer and sets where it begins and ends, which needs no flag.
 */
public final class ArrowMemory {
    public static final boolean LITTLE_ENDIAN = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;

    private static final sun.misc.Unsafe UNSAFE = unsafe();
    private static final long BYTES = UNSAFE.arrayBaseOffset(byte[].class);
    private static final long ADDRESS = offset("address");
    private static final long CAPACITY = offset("capacity");
    private static final ByteBuffer EMPTY = ByteBuffer.allocateDirect(0);

    private ArrowMemory() {}

    private static sun.misc.Unsafe unsafe() {
        try {
            Field field = sun.misc.Unsafe.class.getDeclaredField("theUnsafe");
            field.setAccessible(true);
            return (sun.misc.Unsafe) field.get(null);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private static long offset(String name) {
        try {
            return UNSAFE.objectFieldOffset(Buffer.class.getDeclaredField(name));
        } catch (NoSuchFieldException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    public static long getByteBufferAddress(ByteBuffer buffer) {
        return UNSAFE.getLong(buffer, ADDRESS);
    }

    /** Returns a view of memory that somebody else owns, in the order of bytes that new buffers have. */
    public static ByteBuffer directBuffer(long address, int capacity) {
        ByteBuffer view = EMPTY.duplicate();
        UNSAFE.putLong(view, ADDRESS, address);
        UNSAFE.putInt(view, CAPACITY, capacity);
        view.clear();
        return view;
    }

    public static long allocateMemory(long bytes) {
        return UNSAFE.allocateMemory(bytes);
    }

    public static void freeMemory(long address) {
        UNSAFE.freeMemory(address);
    }

    public static void setMemory(long address, long bytes, byte value) {
        UNSAFE.setMemory(address, bytes, value);
    }

    public static void copyMemory(long from, long to, long bytes) {
        UNSAFE.copyMemory(from, to, bytes);
    }

    public static void copyToMemory(byte[] from, long offset, long to, long bytes) {
        copy(from, BYTES + offset, null, to, bytes);
    }

    public static void copyFromMemory(long from, byte[] to, long offset, long bytes) {
        copy(null, from, to, BYTES + offset, bytes);
    }

    private static void copy(byte @Nullable [] source, long from, byte @Nullable [] target, long to, long bytes) {
        UNSAFE.copyMemory(source, from, target, to, bytes);
    }

    public static byte getByte(long address) {
        return UNSAFE.getByte(address);
    }

    public static void putByte(long address, byte value) {
        UNSAFE.putByte(address, value);
    }

    public static short getShort(long address) {
        return UNSAFE.getShort(address);
    }

    public static void putShort(long address, short value) {
        UNSAFE.putShort(address, value);
    }

    public static int getInt(long address) {
        return UNSAFE.getInt(address);
    }

    public static void putInt(long address, int value) {
        UNSAFE.putInt(address, value);
    }

    public static long getLong(long address) {
        return UNSAFE.getLong(address);
    }

    public static void putLong(long address, long value) {
        UNSAFE.putLong(address, value);
    }

    /** Returns a number in the machine's order of bytes. */
    public static int getInt(byte[] bytes, int index) {
        return UNSAFE.getInt(bytes, BYTES + index);
    }

    /** Returns a number in the machine's order of bytes. */
    public static long getLong(byte[] bytes, int index) {
        return UNSAFE.getLong(bytes, BYTES + index);
    }
}
