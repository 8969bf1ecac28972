package dev.sro.core.engine.driver;

import dev.sro.core.apply.Failures;
import dev.sro.core.engine.background.ImageFindings;
import dev.sro.core.engine.background.LogReadings;

/**
 * What is known of the drivers of one special resource, for its builds.
 *
 * @param images what registries were asked
 * @param logs what pods wrote
 * @param failures refused writes
 */
public record DriverLookups(ImageFindings images, LogReadings logs, Failures failures) {}
