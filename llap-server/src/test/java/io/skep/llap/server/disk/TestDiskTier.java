package io.skep.llap.server.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.skep.common.memory.MemoryPool;
import io.skep.llap.server.cache.ChunkKey;
import io.skep.llap.server.cache.SampleColumns;
import io.skep.llap.server.cache.SecondTierSnapshot;
import io.skep.storage.table.FileVersion;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class TestDiskTier {
    private static final long CAPACITY = 4 * 64 << 10;

    @TempDir
    Path folder;

    private final MemoryPool memory = MemoryPool.root("disk cache", DiskTier.bufferBytes(2, 2 * CAPACITY));

    @AfterEach
    void nothingIsLeft() throws IOException {
        assertThat(memory.reservedBytes()).isZero();
        try (var left = Files.list(folder)) {
            assertThat(left.filter(Files::isRegularFile)).isEmpty();
        }
    }

    @Test
    void givesWhatItWasGiven() {
        try (DiskTier tier = tier()) {
            assertThat(tier.read(key(1))).isEmpty();
            offer(tier, 1, 1000);
            assertThat(tier.read(key(1))).as("not written yet").contains(content(1, 1000));
            for (int i = 2; i < 100; i++) {
                offer(tier, i, 1000);
            }
            for (int i = 1; i < 100; i++) {
                assertThat(tier.read(key(i))).as("chunk %s", i).contains(content(i, 1000));
            }
            FileVersion rewritten = new FileVersion("file:/t/f", 100, 6, 7);
            assertThat(tier.read(new ChunkKey(rewritten, SampleColumns.column(0), 1)))
                    .isEmpty();
            SecondTierSnapshot snapshot = tier.snapshot();
            assertThat(snapshot.hits()).isEqualTo(100);
            assertThat(snapshot.writes()).isEqualTo(99);
            assertThat(snapshot.chunks()).isEqualTo(99);
            assertThat(snapshot.usedBytes()).isEqualTo(snapshot.writtenBytes()).isGreaterThan(99_000);
        }
    }

    @Test
    void theOldestGoWhenThereIsNoMorePlaceUnlessTheyComeAgain() throws IOException {
        try (DiskTier tier = tier()) {
            for (int i = 1; i <= 1000; i++) {
                offer(tier, i, 5000);
                if (i % 5 == 0) {
                    offer(tier, 1, 5000);
                }
            }
            assertThat(tier.read(key(1))).contains(content(1, 5000));
            assertThat(tier.read(key(2))).isEmpty();
            assertThat(tier.read(key(999))).contains(content(999, 5000));
            assertThat(tier.snapshot().evictions()).isGreaterThan(900);
            assertThat(tier.snapshot().writes()).isLessThan(1100);
            assertThat(tier.snapshot().usedBytes()).isLessThanOrEqualTo(CAPACITY);
            assertThat(Files.size(file())).isLessThanOrEqualTo(CAPACITY);
        }
    }

    @Test
    void whatIsLargerThanASegmentIsLeft() {
        try (DiskTier tier = tier()) {
            offer(tier, 1, 64 << 10);
            assertThat(tier.read(key(1))).isEmpty();
            assertThat(tier.snapshot().writes()).isZero();
        }
    }

    @Test
    void damageOnDiskIsAMiss() throws IOException {
        try (DiskTier tier = tier()) {
            for (int i = 0; i < 30; i++) {
                offer(tier, i, 5000);
            }
            long seed = System.nanoTime();
            byte[] noise = new byte[(int) Files.size(file())];
            new Random(seed).nextBytes(noise);
            try (FileChannel channel = FileChannel.open(file(), StandardOpenOption.WRITE)) {
                channel.write(ByteBuffer.wrap(noise));
            }
            int found = 0;
            for (int i = 0; i < 30; i++) {
                Optional<byte[]> chunk = tier.read(key(i));
                if (chunk.isPresent()) {
                    assertThat(chunk.get()).as("seed %s", seed).isEqualTo(content(i, 5000));
                    found++;
                }
            }
            assertThat(found).as("in memory still").isBetween(1, 12);
            assertThat(tier.snapshot().damaged()).isEqualTo(30 - found);
            assertThat(tier.snapshot().chunks()).isEqualTo(found);
            assertThat(tier.snapshot().failedFolders()).isZero();
        }
    }

    @Test
    void oneFlippedBitIsFound() throws IOException {
        try (DiskTier tier = tier()) {
            for (int i = 0; i < 30; i++) {
                offer(tier, i, 5000);
            }
            try (FileChannel channel = FileChannel.open(file(), StandardOpenOption.READ, StandardOpenOption.WRITE)) {
                ByteBuffer one = ByteBuffer.allocate(1);
                channel.read(one, 3000);
                channel.write(ByteBuffer.wrap(new byte[] {(byte) (one.get(0) ^ 4)}), 3000);
            }
            assertThat(tier.read(key(0))).isEmpty();
            assertThat(tier.read(key(1))).contains(content(1, 5000));
            assertThat(tier.snapshot().damaged()).isEqualTo(1);
        }
    }

    @Test
    void aFileThatWasCutIsAMiss() throws IOException {
        try (DiskTier tier = tier()) {
            for (int i = 0; i < 30; i++) {
                offer(tier, i, 5000);
            }
            try (FileChannel channel = FileChannel.open(file(), StandardOpenOption.WRITE)) {
                channel.truncate(2000);
            }
            assertThat(tier.read(key(0))).isEmpty();
            assertThat(tier.read(key(29))).contains(content(29, 5000));
            assertThat(tier.snapshot().damaged()).isEqualTo(1);
        }
    }

    @Test
    void aSlowDiskCostsChunksAndNoMemory() {
        Queue<Runnable> writes = new ArrayDeque<>();
        try (DiskTier tier = new DiskTier(List.of(folder), CAPACITY, memory, writes::add)) {
            for (int i = 0; i < 100; i++) {
                offer(tier, i, 5000);
            }
            assertThat(tier.snapshot().dropped()).isBetween(60L, 70L);
            assertThat(tier.read(key(0))).contains(content(0, 5000));
            writes.forEach(Runnable::run);
            assertThat(tier.read(key(0))).contains(content(0, 5000));
            offer(tier, 200, 5000);
            assertThat(tier.read(key(200))).isPresent();
        }
    }

    @Test
    void aFolderThatCannotBeUsedIsGivenUp() throws IOException {
        Path noFolder = Files.createFile(folder.resolve("file"));
        try (DiskTier tier = new DiskTier(List.of(noFolder, folder), 2 * CAPACITY, memory, Runnable::run)) {
            for (int i = 0; i < 40; i++) {
                offer(tier, i, 1000);
            }
            int found = 0;
            for (int i = 0; i < 40; i++) {
                found += tier.read(key(i)).isPresent() ? 1 : 0;
            }
            assertThat(found).isBetween(5, 35);
            assertThat(tier.snapshot().failedFolders()).isEqualTo(1);
            assertThat(tier.snapshot().capacityBytes()).isEqualTo(CAPACITY);
        }
        Files.delete(noFolder);
    }

    @Test
    void aFullDiskIsGivenUp() throws Exception {
        Path small = Files.createDirectory(folder.resolve("small"));
        assumeTrue(succeeds("mount", "-t", "tmpfs", "-o", "size=128k", "tmpfs", small.toString()), "may mount a disk");
        try (DiskTier tier = new DiskTier(List.of(small), CAPACITY, memory, Runnable::run)) {
            for (int i = 0; i < 100; i++) {
                offer(tier, i, 5000);
            }
            assertThat(tier.read(key(99))).isEmpty();
            assertThat(tier.snapshot().failedFolders()).isEqualTo(1);
            assertThat(tier.snapshot().usedBytes()).isZero();
            try (var left = Files.list(small)) {
                assertThat(left).as("left on the full disk").isEmpty();
            }
        } finally {
            assertThat(succeeds("umount", "--lazy", small.toString())).isTrue();
        }
    }

    @Test
    void whatAProcessLeftIsDeletedAtTheStart() throws IOException {
        Files.write(file(), new byte[1000]);
        try (DiskTier tier = tier()) {
            assertThat(Files.size(file())).isZero();
            assertThat(tier.snapshot().chunks()).isZero();
        }
    }

    @Test
    void manyAtOnceGetTheirOwnOrNothing() throws Exception {
        long seed = System.nanoTime();
        try (ExecutorService writes = Executors.newSingleThreadExecutor();
                ExecutorService threads = Executors.newFixedThreadPool(4)) {
            DiskTier tier = new DiskTier(List.of(folder), CAPACITY, memory, writes);
            List<Callable<Integer>> work = new ArrayList<>();
            for (int thread = 0; thread < 4; thread++) {
                Random random = new Random(seed + thread);
                work.add(() -> offerAndRead(tier, random));
            }
            int found = 0;
            for (Future<Integer> done : threads.invokeAll(work)) {
                found += done.get();
            }
            writes.submit(() -> {}).get();
            assertThat(found).as("seed %s", seed).isPositive();
            assertThat(tier.snapshot().evictions()).isPositive();
            assertThat(tier.snapshot().damaged()).as("seed %s", seed).isZero();
            tier.close();
        }
    }

    private static int offerAndRead(DiskTier tier, Random random) {
        int found = 0;
        for (int i = 0; i < 5000; i++) {
            int id = (int) Math.abs(random.nextGaussian() * 100);
            int length = 1000 + id * 37 % 3000;
            Optional<byte[]> chunk = tier.read(key(id));
            if (chunk.isPresent()) {
                assertThat(chunk.get()).isEqualTo(content(id, length));
                found++;
            }
            if (random.nextBoolean()) {
                offer(tier, id, length);
            }
        }
        return found;
    }

    private Path file() {
        return folder.resolve(DiskVolume.FILE_NAME);
    }

    private DiskTier tier() {
        return new DiskTier(List.of(folder), CAPACITY, memory, Runnable::run);
    }

    private static void offer(DiskTier tier, int id, int length) {
        byte[] content = content(id, length);
        CRC32C crc = new CRC32C();
        crc.update(content);
        tier.offer(key(id), MemorySegment.ofArray(content), (int) crc.getValue());
    }

    private static byte[] content(int id, int length) {
        byte[] content = new byte[length];
        new Random(id).nextBytes(content);
        return content;
    }

    @Test
    void keysOfOneFingerprintAreToldApart() {
        ChunkKey an = new ChunkKey(new FileVersion("file:/t/an", 100, 5, 7), SampleColumns.column(0), 1);
        ChunkKey c0 = new ChunkKey(new FileVersion("file:/t/c0", 100, 5, 7), SampleColumns.column(0), 1);
        assertThat(an.fingerprint()).isEqualTo(c0.fingerprint());
        try (DiskTier tier = tier()) {
            byte[] content = content(1, 1000);
            CRC32C crc = new CRC32C();
            crc.update(content);
            tier.offer(an, MemorySegment.ofArray(content), (int) crc.getValue());
            assertThat(tier.read(an)).contains(content);
            assertThat(tier.read(c0)).isEmpty();
        }
    }

    private static ChunkKey key(int id) {
        return new ChunkKey(new FileVersion("file:/t/f", 100, 5, 7), SampleColumns.column(0), id);
    }

    private static boolean succeeds(String... command) throws IOException, InterruptedException {
        return new ProcessBuilder(List.of(command))
                        .redirectErrorStream(true)
                        .start()
                        .waitFor()
                == 0;
    }
}
