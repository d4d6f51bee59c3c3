package io.skep.itests.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tests the stored inputs of all fuzzing: seeds are read, and inputs that once broke a contract do not break it any
 * more.
 */
@Timeout(300)
final class TestFuzzInputs {
    @ParameterizedTest
    @EnumSource(FuzzTarget.class)
    void seedsAreWhatReadersRead(FuzzTarget target) throws Exception {
        List<Path> seeds = FuzzFolders.files(FuzzFolders.seeds(target));
        assertThat(seeds).isNotEmpty();
        InputReader reader = target.open();
        for (Path seed : seeds) {
            reader.read(Files.readAllBytes(seed));
        }
    }

    @ParameterizedTest
    @EnumSource(FuzzTarget.class)
    void whatBrokeAContractKeepsItNow(FuzzTarget target) throws IOException {
        List<String> broken = new ArrayList<>();
        try (FuzzContract contract = new FuzzContract(target)) {
            for (Path input : FuzzFolders.files(FuzzFolders.regressions(target))) {
                try {
                    contract.check(Files.readAllBytes(input));
                } catch (Throwable e) {
                    broken.add(input.getFileName() + ": " + e);
                }
            }
        }
        assertThat(broken).isEmpty();
    }
}
