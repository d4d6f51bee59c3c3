package io.skep.service.doctor;

import java.util.List;

/** Looks at one part. */
interface Check {
    /** The part's name, for when the check does not come to an end. */
    String part();

    /** What is found; an exception is a failure of the part too. */
    List<Finding> run() throws Exception;
}
