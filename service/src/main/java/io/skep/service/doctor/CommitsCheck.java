package io.skep.service.doctor;

import io.skep.ql.commit.LocalJournals;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Checks whether an interrupted write blocks its tables. */
record CommitsCheck(Path data) implements Check {
    @Override
    public String part() {
        return "commits";
    }

    @Override
    public List<Finding> run() {
        LocalJournals journals = new LocalJournals(data.resolve("commits"));
        List<Finding> findings = new ArrayList<>();
        for (LocalJournals.Unreadable journal : journals.unreadable()) {
            findings.add(Finding.failure(
                    part(),
                    journal.file() + " is the journal of an interrupted write and cannot be read; "
                            + (journal.tables().isEmpty()
                                    ? "it does not tell which tables it changes"
                                    : "closed are " + String.join(", ", journal.tables())),
                    "compare the table's files with what they should be (hidden folders .skep-retired-*"
                            + " hold files that were replaced), then delete the journal;"
                            + " the table is open again at once"));
        }
        List<String> names = journals.names();
        if (!names.isEmpty()) {
            findings.add(Finding.note(
                    part(),
                    names.size() + " under way, or interrupted and to be ended by the next start: "
                            + String.join(", ", names)));
        }
        return findings.isEmpty() ? List.of(Finding.ok(part(), "none is interrupted")) : findings;
    }
}
