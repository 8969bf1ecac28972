package dev.sro.core.driver;

import dev.sro.api.ClusterFacts;
import dev.sro.api.KernelVersion;
import dev.sro.api.OsRelease;
import dev.sro.api.Pool;
import dev.sro.api.RecipeContext;
import dev.sro.api.resource.DriverSpec;
import dev.sro.api.resource.SpecialResource;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Pools and drivers as tables have them. */
final class Fixtures {

    static final String KERNEL = "5.15.0-91-generic";
    private static final KubernetesSerialization YAML = new KubernetesSerialization();
    private static final Pattern OS = Pattern.compile("([a-z]+)(.*)");

    private Fixtures() {}

    static DriverSpec driver(String yaml) {
        return YAML.unmarshal("---\n" + yaml, DriverSpec.class);
    }

    static Pool pool(String kernel) {
        return pool("ubuntu22.04", kernel, "amd64");
    }

    /** @param os id and version: {@code talosv1.8.0} */
    static Pool pool(String os, String kernel, String architecture) {
        Matcher parts = OS.matcher(os.replaceFirst("^talosv", "talos v"));
        if (!parts.matches()) {
            throw new IllegalArgumentException(os);
        }
        return new Pool(
                "pool",
                "0",
                new KernelVersion(kernel),
                new OsRelease(parts.group(1), parts.group(2).strip()),
                architecture,
                new TreeMap<>(Map.of()),
                List.of());
    }

    static RecipeContext context(String openShift) {
        SpecialResource resource = new SpecialResource();
        resource.setMetadata(new ObjectMetaBuilder().withName("name").build());
        ClusterFacts.Builder cluster = ClusterFacts.builder();
        cluster.openShiftVersion(openShift);
        return new RecipeContext(resource, cluster.build());
    }

    /** What the driver asks for in a pool of this kernel. */
    static DriverRequest request(String driver, String kernel) {
        return new SpecDriver(TagCatalogue.builtIn()).of(context(""), "space", pool(kernel), driver(driver));
    }
}
