package io.optimus.model.curve;

/** A kind of loss curve, and how it is fitted. */
enum CurveFamily {
    /** Amplitude, rate and limit. */
    INVERSE_DECAY(3),
    /** Amplitude, rate and limit. */
    EXPONENTIAL_DECAY(3),
    /** Amplitude, rate, exponent and limit. */
    POWER_LAW(4);

    private final int parameters;

    CurveFamily(int parameters) {
        this.parameters = parameters;
    }

    /** How many numbers are fitted. */
    int parameters() {
        return parameters;
    }

    FamilyFit fit(CurvePoints points) {
        return switch (this) {
            case INVERSE_DECAY -> new RateSearch(points, new Shape.Inverse())
                    .onGrid(1)
                    .refined();
            case EXPONENTIAL_DECAY -> new RateSearch(points, new Shape.Exponential())
                    .onGrid(1)
                    .refined();
            case POWER_LAW -> new PowerLawSearch(points);
        };
    }
}
