package io.skep.ql.statement;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.ql.statement.TableCommits.Step;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/** A commit's steps as they are written down: one a line, its parts between tabs. */
final class CommitSteps {
    private CommitSteps() {}

    static byte[] encode(List<Step> steps) {
        List<String> lines = new ArrayList<>();
        for (Step step : steps) {
            lines.add(
                    switch (step) {
                        case Step.Move move -> "move\t" + move.from() + "\t" + move.to();
                        case Step.Delete delete -> "delete\t" + delete.path();
                        case Step.Discard discard -> "discard\t" + discard.path();
                        case Step.InCatalog r ->
                            String.join("\t", "record", r.database(), r.table(), r.location(), r.partition());
                    });
        }
        return String.join("\n", lines).getBytes(StandardCharsets.UTF_8);
    }

    static List<Step> decode(byte[] journal) {
        List<Step> steps = new ArrayList<>();
        for (String line : new String(journal, StandardCharsets.UTF_8).lines().toList()) {
            String[] fields = line.split("\t", -1);
            steps.add(
                    switch (fields[0]) {
                        case "move" -> new Step.Move(fields[1], fields[2]);
                        case "delete" -> new Step.Delete(fields[1]);
                        case "discard" -> new Step.Discard(fields[1]);
                        case "record" -> new Step.InCatalog(fields[1], fields[2], fields[4], fields[3]);
                        default ->
                            throw new SkepException(
                                    StandardErrorCode.FILE_SYSTEM_ERROR,
                                    "a commit's journal has a line of no known kind: " + line);
                    });
        }
        return steps;
    }

    /** For a database: paths of one commit have much in common. */
    static byte[] pack(List<Step> steps) {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (OutputStream out = new GZIPOutputStream(packed)) {
            out.write(encode(steps));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return packed.toByteArray();
    }

    static List<Step> unpack(byte[] packed) {
        try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(packed))) {
            return decode(in.readAllBytes());
        } catch (IOException e) {
            throw new SkepException(
                    StandardErrorCode.METASTORE_ERROR, "a commit's journal in the database is damaged", e);
        }
    }
}
