package io.skep.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.apache.arrow.memory.util.MemoryUtil;
import org.junit.jupiter.api.Test;

/** The class must be what Arrow's other classes expect in its place. */
final class TestArrowMemory {
    private static List<String> methods(Class<?> type) {
        return Stream.of(type.getDeclaredMethods())
                .filter(method -> Modifier.isPublic(method.getModifiers()))
                .map(TestArrowMemory::signature)
                .sorted()
                .toList();
    }

    private static String signature(Method method) {
        return method.getReturnType() + " " + method.getName() + Arrays.toString(method.getParameterTypes());
    }

    @Test
    void itHasTheMethodsOfArrows() {
        assertThat(methods(ArrowMemory.class)).isEqualTo(methods(MemoryUtil.class));
        assertThat(ArrowMemory.LITTLE_ENDIAN).isEqualTo(MemoryUtil.LITTLE_ENDIAN);
    }

    @Test
    void aViewIsTheMemoryItself() {
        long address = ArrowMemory.allocateMemory(32);
        try {
            ArrowMemory.setMemory(address, 32, (byte) 7);
            ByteBuffer view = ArrowMemory.directBuffer(address + 8, 16);
            assertThat(view.isDirect()).isTrue();
            assertThat(view.remaining()).isEqualTo(16);
            assertThat(view.order()).isEqualTo(ByteOrder.BIG_ENDIAN);
            assertThat(ArrowMemory.getByteBufferAddress(view)).isEqualTo(address + 8);
            view.order(ByteOrder.nativeOrder()).putLong(8, 0x0102030405060708L);
            assertThat(ArrowMemory.getLong(address + 16)).isEqualTo(0x0102030405060708L);
            assertThat(view.get(0)).isEqualTo((byte) 7);
            assertThat(ArrowMemory.getByte(address + 24)).isEqualTo((byte) 7);
        } finally {
            ArrowMemory.freeMemory(address);
        }
    }

    @Test
    void bytesGoInAndOut() {
        byte[] in = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
        long address = ArrowMemory.allocateMemory(32);
        try {
            ArrowMemory.copyToMemory(in, 2, address, 8);
            ArrowMemory.copyMemory(address, address + 16, 8);
            byte[] out = new byte[10];
            ArrowMemory.copyFromMemory(address + 16, out, 1, 8);
            assertThat(out).containsExactly(0, 2, 3, 4, 5, 6, 7, 8, 9, 0);
            assertThat(ArrowMemory.getInt(address)).isEqualTo(ArrowMemory.getInt(in, 2));
            assertThat(ArrowMemory.getLong(address)).isEqualTo(ArrowMemory.getLong(in, 2));
            ArrowMemory.putShort(address, (short) -2);
            ArrowMemory.putInt(address + 4, -3);
            ArrowMemory.putByte(address + 8, (byte) -4);
            ArrowMemory.putLong(address + 24, -5);
            assertThat(ArrowMemory.getShort(address)).isEqualTo((short) -2);
            assertThat(ArrowMemory.getInt(address + 4)).isEqualTo(-3);
            assertThat(ArrowMemory.getByte(address + 8)).isEqualTo((byte) -4);
            assertThat(ArrowMemory.getLong(address + 24)).isEqualTo(-5);
        } finally {
            ArrowMemory.freeMemory(address);
        }
    }
}
