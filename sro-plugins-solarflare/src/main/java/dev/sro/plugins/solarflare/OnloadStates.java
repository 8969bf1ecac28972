package dev.sro.plugins.solarflare;

import dev.sro.api.ManifestTemplate;
import dev.sro.api.ReadinessRule;
import dev.sro.api.RecipeContext;
import dev.sro.api.State;
import dev.sro.api.StateGraph;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The states behind that of the modules, which SRO makes itself. Stateless. */
final class OnloadStates {

    /** For drivers that build upon this one, such as that of a GPU with peer memory. */
    private static final String NETWORK_DRIVER = "network-driver";

    private static final String RULES = "nfd.k8s-sigs.io/v1alpha1";

    private OnloadStates() {}

    static StateGraph create(RecipeContext context, OnloadConfig config) {
        List<State> chain = new ArrayList<>();
        chain.add(prerequisites(context, config));
        config.userImage().ifPresent(image -> chain.add(userFiles(context, config, image)));
        chain.add(devicePlugin(context, config));
        // SRO's own state loads the modules: a node has them when what comes next is ready there.
        chain.set(
                1,
                State.builder().from(chain.get(1)).addProvides(NETWORK_DRIVER).build());
        List<State> all = new ArrayList<>();
        List<String> before = List.of();
        for (State state : chain) {
            all.add(State.builder().from(state).addAllAfter(before).build());
            before = List.of(state.id());
        }
        String driver = config.userImage().isPresent() ? "1000-user-files" : "0500-prerequisites";
        // Neither holds up the other, nor the device plugin them.
        config.ptp().ifPresent(ptp -> all.add(ptp(context, config, ptp, driver)));
        if (!config.profiles().isEmpty()) {
            all.add(profiles(context, config));
        }
        return StateGraph.of(all);
    }

    private static ManifestTemplate manifest(String file) {
        return ManifestTemplate.resource(OnloadStates.class, file);
    }

    private static State prerequisites(RecipeContext context, OnloadConfig config) {
        State.Builder state = State.builder()
                .id("0500-prerequisites")
                .scope(State.Scope.CLUSTER)
                .addManifests(manifest("account.yaml"));
        if (context.cluster().isOpenShift()) {
            state.addManifests(manifest("openshift.yaml"));
        }
        if (config.nodeFeatureRule() && context.cluster().serves(RULES, "NodeFeatureRule")) {
            state.addManifests(manifest("node-feature-rule.yaml"));
        }
        return state.build();
    }

    private static State userFiles(RecipeContext context, OnloadConfig config, String image) {
        return Barriers.own("1000-user-files")
                .putVariables("userImage", image)
                .putVariables("modulesBarrier", Barriers.modules(context).path())
                .putVariables("filesBarrier", Barriers.files(context).path())
                .putVariables("barriersDirectory", Barriers.files(context).directory())
                .putVariables("pullPolicy", config.pullPolicy())
                .putVariables("source", OnloadDriver.USER_FILES)
                .putVariables("hostPath", config.devicePlugin().hostPath())
                .addManifests(manifest("user-files.yaml"))
                .build();
    }

    private static State devicePlugin(RecipeContext context, OnloadConfig config) {
        OnloadConfig.DevicePlugin plugin = config.devicePlugin();
        return Barriers.behindDriver(context, config, "2000-device-plugin")
                .putVariables("devicePluginImage", plugin.image())
                .putVariables("pullPolicy", plugin.pullPolicy())
                .putVariables("hostPath", plugin.hostPath())
                .putVariables(
                        "arguments",
                        List.of(
                                "-maxPods=" + plugin.maxPods(),
                                "-setPreload=" + plugin.setPreload(),
                                "-mountOnload=" + plugin.mountOnload(),
                                "-hostOnloadPath=" + plugin.hostPath() + "/",
                                "-baseMountPath=" + plugin.basePath(),
                                "-binMountPath=" + plugin.binPath(),
                                "-libMountPath=" + plugin.libPath()))
                .addReadiness(ReadinessRule.allocatable(plugin.resource(), 1))
                .addManifests(manifest("device-plugin.yaml"))
                .build();
    }

    private static State ptp(RecipeContext context, OnloadConfig config, OnloadConfig.Ptp ptp, String after) {
        return Barriers.behindDriver(context, config, "3000-ptp")
                .addAfter(after)
                .putVariables("ptpImage", ptp.image())
                .putVariables("ptpConfig", ptp.config())
                .putVariables("ptpDigest", Digests.compute(ptp.config()))
                .addManifests(manifest("ptp.yaml"))
                .build();
    }

    private static State profiles(RecipeContext context, OnloadConfig config) {
        List<HasMetadata> maps = new ArrayList<>();
        for (OnloadConfig.Profile profile : config.profiles()) {
            Map<String, String> data = new TreeMap<>();
            // Values are words of the user's, not of SRO.
            profile.environment().forEach((key, value) -> data.put(key, value.replace("${", "$${")));
            if (profile.namespaces().isEmpty()) {
                maps.add(map(context.name(), profile.name(), null, data));
            }
            profile.namespaces().forEach(namespace -> maps.add(map(context.name(), profile.name(), namespace, data)));
        }
        return State.builder()
                .id("4000-profiles")
                .scope(State.Scope.CLUSTER)
                .addAfter("0500-prerequisites")
                .addManifests(ManifestTemplate.objects("profiles", maps.toArray(new HasMetadata[0])))
                .build();
    }

    private static ConfigMap map(
            String name,
            String profile,
            @org.jspecify.annotations.Nullable String namespace,
            Map<String, String> data) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withName(name + "-" + profile + "-profile")
                .withNamespace(namespace)
                .endMetadata()
                .withData(new HashMap<>(data))
                .build();
    }
}
