package io.optimus.model.curve;

import java.util.List;

/** Curves of one family through points. */
interface FamilyFit {
    /** The one that misses them least. */
    CandidateCurve best();

    /** The outermost that miss them by a weighted mean square of {@code meanSquare} at most; none where the best does not. */
    List<CandidateCurve> edges(double meanSquare);
}
