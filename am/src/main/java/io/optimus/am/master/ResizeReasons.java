package io.optimus.am.master;

import io.optimus.am.master.journal.ResizeRecord;
import io.optimus.am.master.plan.Directive;
import io.optimus.am.membership.Resize;
import java.util.Locale;

/**
 * Which plan a resize is put down to, and for which reason.
 *
 * <p>A resize is of the directive under which the training was asked for it, unless a lost task caused it. Its reason is
 * that of the first of the directives in a row that aim at the same size: later ones only say why the job stays there.
 *
 * <p>Example: plan 7 aims at 1 ps + 2 workers because of a gain, plan 8 at the same because nothing else is better. The
 * training is asked for them under plan 8: the resize is of plan 8, because of the gain.
 *
 * <p>Belongs to the owner thread.
 */
final class ResizeReasons {
    private Directive aimedBy = Directive.NONE;
    private Directive askedBy = Directive.NONE;

    /** The directive was taken up. */
    void following(Directive directive) {
        if (!directive.planned().equals(aimedBy.planned())) {
            aimedBy = directive;
        }
    }

    /** The training was asked for another membership under {@code directive}. */
    void asked(Directive directive) {
        askedBy = directive.because(aimedBy.reason());
    }

    /** The resize as it is remembered; {@code nowMillis} the new membership began to step. */
    ResizeRecord record(Resize resize, long nowMillis) {
        boolean planned =
                switch (resize.cause()) {
                    case STARTED, PLANNED -> true;
                    case WORKER_LOST, SERVER_LOST -> false;
                };
        return new ResizeRecord(
                nowMillis,
                resize.from(),
                resize.to(),
                resize.pauseMillis(),
                resize.step(),
                planned && askedBy.exploring(),
                planned ? askedBy.reason() : resize.cause().name().toLowerCase(Locale.ROOT),
                planned && askedBy.pinned() ? Math.max(0, askedBy.plan()) : 0,
                planned);
    }
}
