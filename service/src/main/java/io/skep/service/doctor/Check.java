package io.skep.service.doctor;

import java.util.List;

/** Checks one part of a server. */
interface Check {
    /** Returns the part's name, which is reported when the check does not finish. */
    String part();

    /** Returns the findings. An exception also counts as a failure of the part. */
    List<Finding> run() throws Exception;
}
