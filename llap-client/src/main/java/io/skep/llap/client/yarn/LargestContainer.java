package io.skep.llap.client.yarn;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;

/** How large a container YARN gives: what its scheduler allows, and no more than the largest node has. */
public record LargestContainer(long megabytes, int cores) {
    /**
     * Checks that YARN would give a container.
     *
     * @param what it is for, with its article
     * @param memory what its megabytes are asked for with
     * @param vcores what its cores are asked for with
     * @throws SkepException INVALID_CONFIGURATION that says what is allowed
     */
    public void check(String what, long wantedMegabytes, int wantedCores, String memory, String vcores) {
        if (wantedMegabytes > megabytes) {
            throw tooLarge(what, wantedMegabytes + " mb", megabytes + " mb", memory);
        }
        if (wantedCores > cores) {
            throw tooLarge(what, wantedCores + " cores", cores + " cores", vcores);
        }
    }

    private static SkepException tooLarge(String what, String asked, String allowed, String setting) {
        return new SkepException(
                        StandardErrorCode.INVALID_CONFIGURATION,
                        what + " of " + asked + " (" + setting + ") is larger than YARN's largest container of "
                                + allowed)
                .withHint("ask for less with " + setting
                        + ", or raise yarn.scheduler.maximum-allocation-* and yarn.nodemanager.resource.*");
    }
}
