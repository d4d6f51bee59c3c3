package io.skep.llap.client.yarn;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;

/** The largest container that YARN allocates: the limit of its scheduler, but at most the size of the largest node. */
public record LargestContainer(long megabytes, int cores) {
    /**
     * Checks that YARN would allocate a container.
     *
     * @param what the container's purpose for the error text, with its article
     * @param memory the setting that requests its memory
     * @param vcores the setting that requests its cores
     * @throws SkepException INVALID_CONFIGURATION with the allowed size
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
