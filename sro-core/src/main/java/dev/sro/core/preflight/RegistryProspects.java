package dev.sro.core.preflight;

import dev.sro.core.build.Toolkits;
import dev.sro.core.driver.RegistryProbe;
import dev.sro.core.engine.driver.DriverForecast;
import dev.sro.core.image.RegistrySettings;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** What the registries say now, and the driver toolkit of the release to come. Blocks. */
record RegistryProspects(RegistryProbe probe, RegistrySettings settings, Target target, Clock clock)
        implements DriverForecast.Prospects {

    @Override
    public RegistryProbe.Finding look(RegistryProbe.Query query) {
        return probe.look(query, settings);
    }

    @Override
    public List<Toolkits.ToolkitImage> toolkits(String architecture) {
        return target.driverToolkit().isEmpty() || !target.architecture().equals(architecture)
                ? List.of()
                : List.of(new Toolkits.ToolkitImage(
                        target.openShiftVersion(), target.driverToolkit(), Optional.of(target.compiles()), ""));
    }

    @Override
    public Instant now() {
        return clock.instant();
    }
}
