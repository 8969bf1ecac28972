package dev.sro.testkit.conformance;

/** All cases but those of definitions, on a real API server. */
class RealConformanceTest extends RealConformance {
    RealConformanceTest() {
        super(false);
    }
}
