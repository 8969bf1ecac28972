package dev.sro.testkit.conformance;

/** The cases of definitions, on a real API server. */
class RealConformanceOfDefinitionsTest extends RealConformance {
    RealConformanceOfDefinitionsTest() {
        super(true);
    }
}
