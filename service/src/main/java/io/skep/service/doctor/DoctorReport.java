package io.skep.service.doctor;

import io.skep.service.doctor.Finding.Grade;
import java.util.List;

/** Formats findings as text: one line per finding, its remedy below it, and a summary at the end. */
record DoctorReport(List<Finding> findings) {
    DoctorReport {
        findings = List.copyOf(findings);
    }

    boolean healthy() {
        return count(Grade.FAILURE) == 0;
    }

    private long count(Grade grade) {
        return findings.stream().filter(finding -> finding.grade() == grade).count();
    }

    String text() {
        int width = findings.stream()
                .mapToInt(finding -> finding.part().length())
                .max()
                .orElse(0);
        StringBuilder text = new StringBuilder();
        for (Finding finding : findings) {
            String start = String.format("%-8s %-" + width + "s  ", word(finding.grade()), finding.part());
            text.append(start).append(finding.text()).append('\n');
            finding.remedy()
                    .ifPresent(remedy -> text.append(" ".repeat(start.length()))
                            .append("fix: ")
                            .append(remedy)
                            .append('\n'));
        }
        return text.append(count(Grade.FAILURE))
                .append(" failures, ")
                .append(count(Grade.WARNING))
                .append(" warnings\n")
                .toString();
    }

    private static String word(Grade grade) {
        return switch (grade) {
            case OK -> "ok";
            case NOTE -> "note";
            case WARNING -> "WARNING";
            case FAILURE -> "FAILURE";
        };
    }
}
