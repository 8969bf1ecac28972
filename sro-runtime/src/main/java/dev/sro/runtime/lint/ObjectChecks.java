package dev.sro.runtime.lint;

import dev.sro.api.Pool;
import dev.sro.api.State;
import dev.sro.core.manifest.Desired;
import dev.sro.core.manifest.DesiredState;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.MetadataKeys;
import dev.sro.core.model.ValueTrees;
import dev.sro.core.probe.LogOutcomes;
import dev.sro.core.probe.ReadyWhen;
import dev.sro.core.slicing.input.Suggestions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** What in rendered objects will not have the effect that it seems to be there for. Confined to one thread. */
final class ObjectChecks {

    private static final String PREFIX = "specialresource.openshift.io/";

    /** The annotations that the Special Resource Operator knew, and its label, which charts copy along. */
    private static final Set<String> KNOWN = new TreeSet<>(Set.of(
            MetadataKeys.KERNEL_AFFINE,
            MetadataKeys.WAIT,
            MetadataKeys.VENDOR,
            MetadataKeys.PROXY,
            MetadataKeys.OWNED,
            MetadataKeys.WAIT_FOR_LOGS,
            MetadataKeys.WAIT_FOR_LOGS_MISSPELT,
            PREFIX + "state",
            PREFIX + "callback",
            PREFIX + "hash",
            PREFIX + "nfd",
            PREFIX + "config"));

    /** Kinds that do their work once. */
    private static final Set<String> ONCE = Set.of("BuildConfig", "Build", "BuildRun", "Job", "Pod");

    private static final List<String[]> POD_SPECS = List.of(
            new String[] {"spec", "jobTemplate", "spec", "template", "spec"},
            new String[] {"spec", "template", "spec"});

    private final Subject subject;
    private final List<Finding> found = new ArrayList<>();

    private ObjectChecks(Subject subject) {
        this.subject = subject;
    }

    static List<Finding> in(Subject subject) {
        ObjectChecks checks = new ObjectChecks(subject);
        for (Desired desired : subject.previewed().desired()) {
            checks.misplaced(desired);
            checks.annotations(desired);
            checks.logs(desired);
            checks.images(desired);
            checks.kernel(desired);
            checks.readyWhen(desired);
            checks.place(desired);
        }
        checks.vendors();
        return checks.found;
    }

    /** A wrong indent that a schema does not always show. */
    private void misplaced(Desired desired) {
        for (String field : List.of("annotations", "labels", "namespace")) {
            if (desired.object().tree().containsKey(field)) {
                found.add(Finding.warning(
                        "MisplacedField",
                        subject.where(desired),
                        field + " is beside metadata and not in it, so it has no effect",
                        "indent it, to be under metadata"));
            }
        }
    }

    private void annotations(Desired desired) {
        KubeObject object = desired.object();
        for (String key : ValueTrees.map(object.metadata(), "annotations").keySet()) {
            if (isSuspicious(key) && !KNOWN.contains(key)) {
                found.add(Finding.warning(
                        "UnknownAnnotation",
                        subject.where(desired),
                        "annotation " + key + " is not known and has no effect",
                        "did you mean "
                                + Suggestions.close(key, KNOWN).stream()
                                        .findFirst()
                                        .orElse(PREFIX) + "?"));
            }
        }
        String affine = object.annotation(MetadataKeys.KERNEL_AFFINE).orElse("true");
        boolean perPool = subject.previewed().preview().states().stream()
                .map(DesiredState::state)
                .anyMatch(state -> state.id().equals(desired.state()) && state.scope() == State.Scope.POOL);
        if (!affine.equals("true") && perPool) {
            found.add(Finding.warning(
                    "KernelAffineNotTrue",
                    subject.where(desired),
                    "annotation " + MetadataKeys.KERNEL_AFFINE + " is \"" + affine
                            + "\": the template is rendered for each"
                            + " kernel all the same, and of this object the one of the first pool is taken",
                    "set it to \"true\", or take it away from all objects of the template"));
        }
    }

    /** Of our prefix, or nearly: one letter may be wrong anywhere. */
    private static boolean isSuspicious(String key) {
        int slash = key.indexOf('/');
        return slash > 0 && Suggestions.distance(key.substring(0, slash + 1), PREFIX) <= 2;
    }

    private void logs(Desired desired) {
        KubeObject object = desired.object();
        LogOutcomes.regexp(object)
                .flatMap(regexp -> LogOutcomes.fault(object, regexp))
                .ifPresent(problem -> found.add(Finding.error(
                        "InvalidPattern",
                        subject.where(desired),
                        problem.message(),
                        "correct it; characters such as ( [ * + need a backslash to stand for themselves")));
    }

    private static Map<String, Object> podSpec(KubeObject object) {
        if (object.ref().kind().equals("Pod")) {
            return object.map("spec");
        }
        for (String[] path : POD_SPECS) {
            Map<String, Object> spec = object.map(path);
            if (!spec.isEmpty()) {
                return spec;
            }
        }
        return Map.of();
    }

    private static Set<String> images(KubeObject object) {
        Map<String, Object> spec = podSpec(object);
        Set<String> images = new TreeSet<>();
        for (String list : List.of("containers", "initContainers")) {
            ValueTrees.maps(spec, list).forEach(container -> images.add(ValueTrees.text(container, "image")));
        }
        return images;
    }

    private void images(Desired desired) {
        for (String image : images(desired.object())) {
            if (image.isBlank()) {
                continue;
            }
            String name = image.substring(image.lastIndexOf('/') + 1);
            boolean untagged = !name.contains(":") && !name.contains("@");
            if (untagged || name.endsWith(":latest") || name.endsWith(":")) {
                found.add(Finding.warning(
                        "MovingImage",
                        subject.where(desired),
                        "image " + image + (untagged ? " has no tag, which means latest" : " names no version")
                                + ": nodes that pull it at different times run different software",
                        "name a version or a digest"));
            }
        }
    }

    private void kernel(Desired desired) {
        KubeObject object = desired.object();
        if (desired.pool() != null) {
            return;
        }
        if (ONCE.contains(object.ref().kind())) {
            kernelInWork(desired);
        }
        if (!object.ref().kind().equals("DaemonSet")) {
            return;
        }
        for (Pool pool : subject.previewed().preview().plan().pools()) {
            String kernel = pool.kernel().raw();
            if (images(object).stream().anyMatch(image -> image.contains(kernel))) {
                found.add(Finding.warning(
                        "KernelInSharedDaemonSet",
                        subject.where(desired),
                        "its image is that of kernel " + kernel + ", and it runs on nodes with any kernel",
                        "add the annotation " + MetadataKeys.KERNEL_AFFINE + ": \"true\""));
            }
        }
    }

    private void kernelInWork(Desired desired) {
        String spec = String.valueOf(desired.object().map("spec"));
        subject.previewed().preview().plan().pools().stream()
                .map(pool -> pool.kernel().raw())
                .filter(spec::contains)
                .findFirst()
                .ifPresent(kernel -> found.add(Finding.warning(
                        "KernelInSharedWork",
                        subject.where(desired),
                        "it is for kernel " + kernel
                                + ", and is made once for all kernels: after the next upgrade there"
                                + " is none for the new one",
                        "add the annotation " + MetadataKeys.KERNEL_AFFINE + ": \"true\"")));
    }

    /** An expression that says when an object is ready, and cannot be read. */
    private void readyWhen(Desired desired) {
        desired.object()
                .annotation(MetadataKeys.READY_WHEN)
                .ifPresent(
                        expression -> ReadyWhen.fault(expression)
                                .ifPresent(
                                        why -> found.add(
                                                Finding.error(
                                                        "InvalidReadyWhen",
                                                        subject.where(desired),
                                                        "annotation " + MetadataKeys.READY_WHEN + " is no expression: "
                                                                + why,
                                                        "correct it; object is what the API server has, as in object.status.phase == 'Done'"))));
    }

    /** What all of the cluster runs on is no place for a driver's objects. */
    private void place(Desired desired) {
        if (desired.object().ref().namespace().equals("kube-system")) {
            found.add(Finding.warning(
                    "ObjectInKubeSystem",
                    subject.where(desired),
                    "it is in namespace kube-system, whose pods nothing keeps apart from the cluster's own",
                    "leave metadata.namespace out, to have it in that of the special resource"));
        }
    }

    private void vendors() {
        Map<String, Set<String>> builds = new TreeMap<>();
        Map<String, Set<String>> drivers = new TreeMap<>();
        Map<String, Desired> first = new HashMap<>();
        for (Desired desired : subject.previewed().desired()) {
            desired.object().annotation(MetadataKeys.VENDOR).ifPresent(vendor -> {
                Map<String, Set<String>> side = desired.object().ref().kind().equals("DaemonSet") ? drivers : builds;
                side.computeIfAbsent(vendor, unused -> new TreeSet<>()).add(subject.where(desired));
                first.putIfAbsent(vendor, desired);
            });
        }
        first.forEach((vendor, desired) -> {
            boolean build = builds.containsKey(vendor);
            if (build != drivers.containsKey(vendor)) {
                found.add(Finding.warning(
                        "VendorWithoutPartner",
                        subject.where(desired),
                        "annotation " + MetadataKeys.VENDOR + " is \"" + vendor + "\", and no "
                                + (build ? "DaemonSet" : "build") + " has the same"
                                + (build
                                        ? ": it is not known whose image the build is for, so it is always made"
                                        : ": nothing is built when the image cannot be pulled"),
                        build
                                ? "put it on the DaemonSet that runs the image, too"
                                : "put it on the BuildConfig that makes the image, too, or take it away"));
            }
        });
    }
}
