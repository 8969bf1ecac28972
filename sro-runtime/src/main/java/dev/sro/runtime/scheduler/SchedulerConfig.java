package dev.sro.runtime.scheduler;

import static dev.sro.core.model.TreeLiterals.list;
import static dev.sro.core.model.TreeLiterals.map;

import dev.sro.core.das.DasNames;
import dev.sro.core.slicing.catalogue.DeviceModel;
import dev.sro.core.slicing.catalogue.SliceProfile;
import dev.sro.core.slicing.mig.MigResources;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/**
 * The configuration of a scheduler that asks the extender, {@code kubescheduler.config.k8s.io/v1}. Immutable.
 *
 * @param url by which the scheduler reaches the extender
 * @param profile name of the scheduler for pods
 * @param weight of the extender's scores
 * @param ca certificates (base64 of PEM) by which the extender is known; empty for plain HTTP
 * @param clientFiles folder with {@code tls.crt} and {@code tls.key} by which the scheduler is known; empty for none
 * @param ignoreCounts whether the scheduler leaves slices uncounted
 * @param lease name of the scheduler's lease; empty where one replica runs
 * @param namespace of the lease
 */
public record SchedulerConfig(
        String url,
        String profile,
        int weight,
        Optional<String> ca,
        Optional<String> clientFiles,
        boolean ignoreCounts,
        String lease,
        String namespace) {

    /** The object, for slices of these models. */
    public Map<String, Object> tree(Collection<DeviceModel> models) {
        Map<String, Object> extender = map(
                "urlPrefix",
                url,
                "filterVerb",
                ExtenderEndpoints.FILTER,
                "prioritizeVerb",
                ExtenderEndpoints.PRIORITIZE,
                "bindVerb",
                ExtenderEndpoints.BIND,
                "weight",
                weight,
                "httpTimeout",
                "10s",
                "nodeCacheCapable",
                true,
                "ignorable",
                false,
                "managedResources",
                managed(models));
        ca.ifPresent(bundle -> {
            Map<String, Object> tls = map("caData", bundle);
            clientFiles.ifPresent(folder -> {
                tls.put("certFile", folder + "/tls.crt");
                tls.put("keyFile", folder + "/tls.key");
            });
            extender.put("enableHTTPS", true);
            extender.put("tlsConfig", tls);
        });
        return map(
                "apiVersion",
                "kubescheduler.config.k8s.io/v1",
                "kind",
                "KubeSchedulerConfiguration",
                "leaderElection",
                lease.isEmpty()
                        ? map("leaderElect", false)
                        : map("leaderElect", true, "resourceName", lease, "resourceNamespace", namespace),
                "profiles",
                list(map("schedulerName", profile)),
                "extenders",
                list(extender));
    }

    private List<Object> managed(Collection<DeviceModel> models) {
        TreeSet<String> names = new TreeSet<>();
        for (DeviceModel model : models) {
            if (model.scheme().equals("mig")) {
                model.profiles().forEach(profile -> names.addAll(names(profile)));
            }
        }
        List<Object> managed = new ArrayList<>();
        names.forEach(name -> managed.add(map("name", name, "ignoredByScheduler", ignoreCounts)));
        return managed;
    }

    private static List<String> names(SliceProfile profile) {
        List<String> names =
                new ArrayList<>(List.of(MigResources.resource(profile.name()), DasNames.resource(profile.name())));
        profile.aliases().stream()
                .filter(alias ->
                        MigResources.profile(MigResources.resource(alias)).isPresent())
                .forEach(alias -> {
                    names.add(MigResources.resource(alias));
                    names.add(DasNames.resource(alias));
                });
        return names;
    }
}
