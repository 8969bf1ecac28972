package dev.sro.plugins.solarflare;

import dev.sro.api.Checks;
import dev.sro.api.KernelVersion;
import dev.sro.api.device.Decoration;
import dev.sro.plugins.solarflare.OnloadConfig.DevicePlugin;
import dev.sro.plugins.solarflare.OnloadConfig.Profile;
import dev.sro.plugins.solarflare.OnloadConfig.Ptp;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * Reads {@code spec.plugin.config}. Field names are those of {@code spec} of the Onload operator's custom resource, {@code
 * onload.amd.com/v1alpha1}, as far as it has them. Confined to one thread.
 */
final class ConfigReader {

    private static final List<String> PULL_POLICIES = List.of("Always", "IfNotPresent", "Never");

    /** In the order in which they are loaded. */
    static final List<String> MODULES = List.of("sfc", "sfc_resource", "onload");

    private static final Map<String, Map<String, String>> BUILT_IN = Map.of(
            "latency", Map.of("EF_POLL_USEC", "100000", "EF_TCP_FASTSTART_INIT", "0", "EF_TCP_FASTSTART_IDLE", "0"));

    private final List<String> errors = new ArrayList<>();

    private List<KernelImage> images = new ArrayList<>();
    private Optional<String> userImage = Optional.empty();
    private Optional<String> waitImage = Optional.empty();
    private String version = "";
    private String pullPolicy = "IfNotPresent";
    private final Map<String, List<String>> parameters = new LinkedHashMap<>();
    private Optional<String> controlPlane = Optional.empty();
    private DevicePlugin devicePlugin = new DevicePlugin("", "", "", 1, true, false, "", "", "", "");
    private Optional<Decoration> decoration = Optional.empty();
    private Optional<Ptp> ptp = Optional.empty();
    private final List<Profile> profiles = new ArrayList<>();

    /** Either of the two. */
    record Result(Optional<OnloadConfig> config, List<String> errors) {}

    private ConfigReader() {}

    static Result read(Map<String, Object> config) {
        return new ConfigReader().all(config);
    }

    private Result all(Map<String, Object> config) {
        Fields root = Fields.of(config, errors);
        root.object("onload", this::onload);
        root.object("devicePlugin", this::devicePlugin);
        boolean cdi = root.bool("cdi", true);
        boolean rule = root.bool("nodeFeatureRule", true);
        if (root.has("decorator")) {
            root.object("decorator", this::decorator);
        }
        if (cdi
                && decoration
                        .map(Decoration::kind)
                        .filter(devicePlugin.resource()::equals)
                        .isPresent()) {
            root.error(
                    "decorator.kind",
                    "is that of the device that is described anyway; choose another, or set cdi: false");
        }
        if (root.has("ptp")) {
            root.object("ptp", this::ptp);
        }
        root.objects("profiles", this::profile);
        root.refuse("selector", "is spec.nodeSelector of the special resource here; move it there");
        root.refuse("serviceAccountName", "SRO makes accounts of its own; remove it");
        root.done();
        if (!errors.isEmpty()) {
            return new Result(Optional.empty(), List.copyOf(errors));
        }
        return new Result(
                Optional.of(new OnloadConfig(
                        List.copyOf(images),
                        userImage,
                        waitImage,
                        version,
                        pullPolicy,
                        Map.copyOf(parameters),
                        controlPlane,
                        devicePlugin,
                        cdi,
                        decoration,
                        ptp,
                        List.copyOf(profiles),
                        rule)),
                List.of());
    }

    private void onload(Fields fields) {
        fields.objects("kernelMappings", this::mapping);
        if (!fields.has("kernelMappings") || (images.isEmpty() && errors.isEmpty())) {
            fields.error("kernelMappings", "is missing; name at least one image of the kernel modules");
        }
        userImage = fields.text("userImage");
        userImage.ifPresent(image -> OnloadConfig.checkImage(fields, "userImage", image));
        waitImage = fields.text("waitImage");
        waitImage.ifPresent(image -> OnloadConfig.checkImage(fields, "waitImage", image));
        boolean withoutFiles = images.stream()
                .anyMatch(image ->
                        image.build().flatMap(KernelImage.Build::sourceImage).isPresent());
        if (userImage.isEmpty() && withoutFiles) {
            fields.error("userImage", "is missing; images that are built of a sourceImage have the modules alone");
        }
        version = fields.text("version", "");
        pullPolicy = fields.oneOf("imagePullPolicy", "IfNotPresent", PULL_POLICIES);
        fields.object("moduleParameters", modules -> {
            for (String module : MODULES) {
                List<String> given = modules.texts(module);
                given.stream()
                        .filter(word -> !word.matches("[A-Za-z0-9_][A-Za-z0-9_.-]*(=\\S+)?"))
                        .forEach(word ->
                                modules.error(module, "\"" + word + "\" must be name=value without white space"));
                parameters.put(module, List.copyOf(given));
            }
        });
        fields.object("controlPlane", server -> {
            boolean enabled = server.bool("enabled", true);
            List<String> words = server.has("parameters") ? server.texts("parameters") : List.of("-K");
            if (words.size() > 1 || words.stream().anyMatch(word -> !word.matches("\\S+"))) {
                server.error("parameters", words + ": the kernel module takes one word without white space; give one");
            }
            controlPlane = enabled ? Optional.of(String.join("", words)) : Optional.empty();
            server.texts("parameters");
        });
        fields.refuse("build", "the Onload operator does not act on it either; build in kernelMappings[].build");
    }

    private void mapping(Fields fields) {
        Optional<String> literal = fields.text("literal");
        Optional<String> regexp = fields.text("regexp");
        if (literal.isPresent() == regexp.isPresent()) {
            fields.error("regexp", "set exactly one of regexp and literal");
        }
        Optional<Pattern> pattern = Optional.empty();
        try {
            pattern = regexp.map(KernelImage::pattern);
        } catch (PatternSyntaxException e) {
            fields.error("regexp", "\"" + e.getPattern() + "\" is no RE2 expression: " + e.getDescription());
        }
        String image = fields.required("kernelModuleImage");
        List<String> unknown = KernelImage.unknown(image);
        if (!unknown.isEmpty()) {
            fields.error(
                    "kernelModuleImage",
                    unknown + " have no value; there are KERNEL_FULL_VERSION, KERNEL_VERSION,"
                            + " KERNEL_XYZ, KERNEL_X, KERNEL_Y and KERNEL_Z");
        }
        boolean sfc = fields.has("sfc");
        fields.object("sfc", unused -> {});
        boolean builds = fields.has("build");
        List<KernelImage.Build> build = new ArrayList<>();
        fields.object("build", inner -> build.add(build(inner, builds)));
        KernelImage made =
                new KernelImage(literal, pattern, image, sfc, builds ? Optional.of(build.get(0)) : Optional.empty());
        if (!image.isEmpty() && unknown.isEmpty()) {
            OnloadConfig.checkImage(fields, "kernelModuleImage", made.reference(new KernelVersion("5.14.0-1.x86_64")));
        }
        images.add(made);
    }

    private static KernelImage.Build build(Fields fields, boolean present) {
        List<String> dockerfile = new ArrayList<>();
        boolean named = fields.has("dockerfileConfigMap");
        fields.object(
                "dockerfileConfigMap", map -> dockerfile.add(named ? map.required("name") : map.text("name", "")));
        Optional<String> source = fields.text("sourceImage");
        source.ifPresent(image -> OnloadConfig.checkImage(fields, "sourceImage", image));
        Map<String, String> arguments = new LinkedHashMap<>();
        fields.objects("buildArgs", item -> {
            String name = item.required("name");
            String value = item.text("value", "");
            if (!name.isEmpty() && !name.matches("[A-Za-z_][A-Za-z0-9_]*")) {
                item.error("name", "\"" + name + "\" is no name of a build argument: letters, digits and underscores");
            }
            arguments.put(name, value);
        });
        if (present && named == source.isPresent()) {
            fields.error(
                    "sourceImage",
                    "set exactly one of sourceImage, to build with SRO's Dockerfile, and dockerfileConfigMap");
        }
        return new KernelImage.Build(
                named ? Optional.of(dockerfile.get(0)) : Optional.empty(),
                source,
                Map.copyOf(arguments),
                fields.text("pushSecret"));
    }

    private void devicePlugin(Fields fields) {
        String image = fields.required("devicePluginImage");
        if (!image.isEmpty()) {
            OnloadConfig.checkImage(fields, "devicePluginImage", image);
        }
        boolean preload = fields.bool("setPreload", true);
        boolean mount = fields.bool("mountOnload", false);
        if (preload && mount) {
            fields.error("mountOnload", "cannot go together with setPreload; set one of them to false");
        }
        String resource = fields.text("resourceName", OnloadConfig.RESOURCE);
        if (!resource.matches("[a-z0-9.-]+/[A-Za-z0-9]([A-Za-z0-9_.-]*[A-Za-z0-9])?")) {
            fields.error("resourceName", "\"" + resource + "\" must be vendor.example/name");
        }
        String host = fields.path("hostOnloadPath", "/opt/onload");
        // Everything in it is ours, and goes with the driver.
        if (host.lastIndexOf('/') == 0 || !host.contains("onload")) {
            fields.error(
                    "hostOnloadPath",
                    "\"" + host
                            + "\" must be a directory for Onload alone, below another one and with onload in its path,"
                            + " for example /opt/onload");
        }
        // The custom resource spells it like that.
        String libraries = fields.has("libMounthPath")
                ? fields.path("libMounthPath", "/usr/lib64")
                : fields.path("libMountPath", "/usr/lib64");
        fields.text("libMountPath");
        fields.text("libMounthPath");
        devicePlugin = new DevicePlugin(
                image,
                fields.oneOf("imagePullPolicy", "IfNotPresent", PULL_POLICIES),
                resource,
                fields.number("maxPodsPerNode", 100, 1, 10_000),
                preload,
                mount,
                host,
                fields.path("baseMountPath", "/opt/onload"),
                fields.path("binMountPath", "/usr/bin"),
                libraries);
    }

    private void decorator(Fields fields) {
        Decoration.Builder builder = Decoration.builder()
                .kind(fields.text("kind", "amd.com/onload-files"))
                .device(fields.text("device", "all"))
                .activationFlag(activation(fields))
                .devices(fields.texts("devices"))
                .binaries(fields.texts("binaries"))
                .libraries(fields.texts("libraries"))
                .directories(fields.texts("directories"))
                .miscellaneous(fields.texts("miscellaneous"))
                .environment(fields.map("environment"))
                .ldconfig(fields.text("ldconfig"))
                .hookPath(fields.text("hookPath"));
        try {
            decoration = Optional.of(builder.build());
        } catch (IllegalArgumentException e) {
            errors.add("spec.plugin.config.decorator: " + e.getMessage());
        }
    }

    /** Files of oci-injector-hook have the same lists, and spell this like that: they can be pasted. */
    private static Optional<String> activation(Fields fields) {
        Optional<String> injector = fields.text("activation_flag");
        Optional<String> own = fields.text("activationFlag");
        if (injector.isPresent() && own.isPresent()) {
            fields.error("activation_flag", "is activationFlag, which is there, too; remove one");
        }
        fields.refuse(
                "inventory",
                "is the form of oci-decorator; put what a driver feature lists beside kind, devices as paths");
        fields.refuse(
                "driver_feature", "is the form of oci-decorator; put what these features list beside kind instead");
        return own.or(() -> injector);
    }

    private void ptp(Fields fields) {
        String image = fields.required("image");
        if (!image.isEmpty()) {
            OnloadConfig.checkImage(fields, "image", image);
        }
        ptp = Optional.of(new Ptp(image, fields.required("config")));
    }

    private void profile(Fields fields) {
        String name = fields.required("name");
        List<String> namespaces = fields.texts("namespaces");
        Map<String, String> environment = fields.map("environment");
        try {
            if (!name.isEmpty()) {
                Checks.dnsLabel(fields.path("name"), name);
            }
            namespaces.forEach(namespace -> Checks.dnsLabel(fields.path("namespaces"), namespace));
            Checks.noDuplicates(fields.path("namespaces"), namespaces);
        } catch (IllegalArgumentException e) {
            errors.add(String.valueOf(e.getMessage()));
        }
        environment.keySet().stream()
                .filter(key -> !key.matches("EF_[A-Z0-9_]+|LD_PRELOAD"))
                .forEach(key ->
                        fields.error("environment." + key, "is no variable of Onload; they begin with EF_. Remove it"));
        if (environment.isEmpty() && !BUILT_IN.containsKey(name)) {
            fields.error("environment", "is missing; set variables, or take the profile latency, which has some");
        }
        if (profiles.stream().anyMatch(other -> other.name().equals(name))) {
            fields.error("name", "\"" + name + "\" is there twice; remove one");
        }
        Map<String, String> all = new LinkedHashMap<>(BUILT_IN.getOrDefault(name, Map.of()));
        all.putAll(environment);
        profiles.add(new Profile(name, namespaces, all));
    }
}
