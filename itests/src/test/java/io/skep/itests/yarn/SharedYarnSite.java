package io.skep.itests.yarn;

import io.skep.itests.SharedSite;

/** Shares the one {@link YarnSite} of the run. */
final class SharedYarnSite extends SharedSite<YarnSite> {
    SharedYarnSite() {
        super(YarnSite.class, YarnSite::start, YarnSite::assertNothingLeft);
    }
}
