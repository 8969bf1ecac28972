package dev.sro.core.manifest;

import dev.sro.api.Pool;
import dev.sro.api.Problem;
import dev.sro.api.State;
import dev.sro.api.resource.SpecialResource;
import dev.sro.core.facts.VanishedLabels;
import dev.sro.core.model.MetadataKeys;
import dev.sro.core.model.Specs;
import dev.sro.core.model.ValueTrees;
import dev.sro.core.partition.PodRules;
import dev.sro.core.pool.PoolNames;
import dev.sro.core.recipe.KernelPlaceholder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** SRO's own post-decode hooks, in the order in which they run. Stateless. */
final class CoreHooks {

    /** Of Shipwright. */
    private static final String BUILD_RUN = "BuildRun";

    private static final String ARCHITECTURE = "kubernetes.io/arch";

    private static final Set<String> APP_KINDS = Set.of("DaemonSet", "Deployment", "StatefulSet");

    private static final Set<String> SERVER_METADATA =
            Set.of("creationTimestamp", "generation", "managedFields", "resourceVersion", "selfLink", "uid");

    /** Kinds whose names become label values or DNS labels. */
    private static final Set<String> SHORT_NAMES =
            Set.of("DaemonSet", "Deployment", "StatefulSet", "Job", "Service", "Namespace");

    /** Longest label value, and so longest name of an object whose {@code app} label carries it. */
    private static final int MAX_LABEL = 63;

    private static final int MAX_NAME = 253;

    /** Of webhooks, in bytes. */
    private static final String AUTHORITY = "caBundle";

    private static final List<ObjectHook> ALL = List.of(
            CoreHooks::serverFields,
            CoreHooks::stringData,
            CoreHooks::wrappedBytes,
            CoreHooks::finishedJob,
            CoreHooks::namespace,
            CoreHooks::kernelPlaceholder,
            CoreHooks::kernelAffinity,
            CoreHooks::nodeSelector,
            CapabilityGate::apply,
            CoreHooks::tolerations,
            LimitHook::apply,
            ProxyHook::apply,
            MirrorHook::apply,
            CoreHooks::ownedLabels,
            CoreHooks::keep,
            CoreHooks::owner,
            CoreHooks::account,
            ReadyLabelKeys::check,
            CoreHooks::nameLength);

    private CoreHooks() {}

    static List<ObjectHook> all() {
        return ALL;
    }

    static boolean isKernelAffine(Map<String, Object> tree) {
        return "true".equals(ValueTrees.text(tree, "metadata", "annotations", MetadataKeys.KERNEL_AFFINE));
    }

    /** What only the API server writes, as generated and exported manifests carry it along. */
    private static void serverFields(Map<String, Object> tree, HookContext context) {
        tree.remove("status");
        ValueTrees.ensureMap(tree, "metadata").keySet().removeAll(SERVER_METADATA);
    }

    /** The API server turns {@code stringData} into {@code data} and never shows it again, so it would always differ. */
    private static void stringData(Map<String, Object> tree, HookContext context) {
        if ("Secret".equals(tree.get("kind")) && tree.remove("stringData") instanceof Map<?, ?> texts) {
            Map<String, Object> data = ValueTrees.ensureMap(tree, "data");
            texts.forEach((key, text) -> data.put(
                    String.valueOf(key),
                    Base64.getEncoder().encodeToString(String.valueOf(text).getBytes(StandardCharsets.UTF_8))));
        }
    }

    /** An API server reads base64 in several lines, and shows it in one, so that it would always differ. */
    private static void wrappedBytes(Map<String, Object> tree, HookContext context) {
        switch (String.valueOf(tree.get("kind"))) {
            case "Secret" -> unwrapAll(ValueTrees.map(tree, "data"));
            case "ConfigMap" -> unwrapAll(ValueTrees.map(tree, "binaryData"));
            case "MutatingWebhookConfiguration", "ValidatingWebhookConfiguration" ->
                ValueTrees.maps(tree, "webhooks")
                        .forEach(webhook -> unwrap(ValueTrees.map(webhook, "clientConfig"), AUTHORITY));
            case "APIService" -> unwrap(ValueTrees.map(tree, "spec"), AUTHORITY);
            case "CustomResourceDefinition" ->
                unwrap(ValueTrees.map(tree, "spec", "conversion", "webhook", "clientConfig"), AUTHORITY);
            default -> {
                // No other kind has bytes that an author writes.
            }
        }
    }

    private static void unwrapAll(Map<String, Object> bytes) {
        List.copyOf(bytes.keySet()).forEach(key -> unwrap(bytes, key));
    }

    private static void unwrap(Map<String, Object> bytes, String key) {
        if (bytes.get(key) instanceof String text && text.indexOf('\n') >= 0) {
            bytes.put(key, text.replace("\n", "").replace("\r", ""));
        }
    }

    /** A Job that has ended is the memory that it ran: taken away by its time to live it would run again, for ever. */
    private static void finishedJob(Map<String, Object> tree, HookContext context) {
        if ("Job".equals(tree.get("kind")) && tree.get("spec") instanceof Map<?, ?> spec) {
            spec.remove("ttlSecondsAfterFinished");
        }
    }

    private static void namespace(Map<String, Object> tree, HookContext context) {
        Map<String, Object> metadata = ValueTrees.ensureMap(tree, "metadata");
        String kindKey = tree.get("apiVersion") + "/" + tree.get("kind");
        if (context.recipe().cluster().clusterScopedKinds().contains(kindKey)) {
            metadata.remove("namespace");
        } else if (ValueTrees.text(metadata, "namespace").isEmpty()) {
            metadata.put("namespace", context.namespace());
        }
    }

    /** The word that recipes without templates have for the kernel, in objects that ask for it with a callback. */
    private static void kernelPlaceholder(Map<String, Object> tree, HookContext context) {
        Map<String, Object> annotations = ValueTrees.map(tree, "metadata", "annotations");
        Pool pool = context.pool();
        if (pool == null || MetadataKeys.CALLBACKS.stream().noneMatch(annotations::containsKey)) {
            return;
        }
        Map<String, Object> metadata = ValueTrees.ensureMap(tree, "metadata");
        String kernel = pool.kernel().raw();
        metadata.put("name", KernelPlaceholder.inName(ValueTrees.text(metadata, "name"), kernel));
        KernelPlaceholder.replace(tree, kernel);
    }

    /** New name, the {@code app} labels with it, and the pool's kernel and the pool itself as node selector. */
    private static void kernelAffinity(Map<String, Object> tree, HookContext context) {
        if (!isKernelAffine(tree)) {
            if (AffineReferences.areAsked(tree)) {
                throw RenderException.vendor(
                        "AffineReferencesOutsidePool",
                        context.state().id() + ": " + tree.get("kind") + " " + ValueTrees.text(tree, "metadata", "name")
                                + " has the annotation " + MetadataKeys.AFFINE_REFERENCES
                                + ", but is not kernel-affine, so that"
                                + " there is one for all pools; add the annotation " + MetadataKeys.KERNEL_AFFINE
                                + ": \"true\"");
            }
            return;
        }
        Pool pool = context.pool();
        if (pool == null) {
            throw RenderException.vendor(
                    "KernelAffineOutsidePool",
                    context.state().id() + ": " + tree.get("kind") + " " + ValueTrees.text(tree, "metadata", "name")
                            + " is kernel-affine, but the state has scope CLUSTER; give the state scope POOL");
        }
        Map<String, Object> metadata = ValueTrees.ensureMap(tree, "metadata");
        String name = affineName(tree, metadata, "-" + pool.affinityHash());
        metadata.put("name", name);
        if (APP_KINDS.contains(String.valueOf(tree.get("kind")))) {
            ValueTrees.ensureMap(tree, "metadata", "labels").put("app", name);
            ValueTrees.ensureMap(tree, "spec", "selector", "matchLabels").put("app", name);
            ValueTrees.ensureMap(tree, "spec", "template", "metadata", "labels").put("app", name);
        }
        if (BUILD_RUN.equals(tree.get("kind"))) {
            // It runs the Build of its own name, which gets the same suffix.
            ValueTrees.ensureMap(tree, "spec", "buildRef").put("name", name);
        }
        Workloads.nodeSelector(tree).ifPresent(path -> {
            Map<String, Object> selector = ValueTrees.ensureMap(tree, path);
            selector.put(MetadataKeys.KERNEL_LABEL, pool.kernelLabel());
            if (!PoolNames.kernelNamesArchitecture(pool)) {
                selector.put(ARCHITECTURE, pool.architecture());
            }
            // Two systems may run one kernel, and what a plugin tells apart no label of the node's own does.
            selector.put(MetadataKeys.poolLabel(context.name()), pool.name());
        });
        ValueTrees.ensureMap(tree, "metadata", "annotations").put(MetadataKeys.POOL, pool.name());
    }

    /** What the suffix leaves no room for is cut and hashed: it is ours, and no reason to ask for another name. */
    private static String affineName(Map<String, Object> tree, Map<String, Object> metadata, String suffix) {
        String given = ValueTrees.text(metadata, "name");
        int max = SHORT_NAMES.contains(String.valueOf(tree.get("kind"))) ? MAX_LABEL : MAX_NAME;
        if (given.length() > max || given.length() + suffix.length() <= max) {
            return given + suffix;
        }
        ValueTrees.ensureMap(metadata, "annotations").put(MetadataKeys.AFFINE_OF, given);
        return MetadataKeys.fit(given, max - suffix.length()) + suffix;
    }

    /** The special resource's node selector wins over the manifest's; a pod also waits for the states before its own. */
    private static void nodeSelector(Map<String, Object> tree, HookContext context) {
        if (!Set.of("DaemonSet", "Deployment", "Pod", "BuildConfig", "StatefulSet")
                .contains(String.valueOf(tree.get("kind")))) {
            return;
        }
        SpecialResource resource = context.recipe().specialResource();
        Map<String, String> selector = Specs.of(resource).getNodeSelector();
        boolean daemonSet = "DaemonSet".equals(tree.get("kind"));
        List<String> barriers = daemonSet ? context.barriers() : List.of();
        Map<String, String> nodes = daemonSet ? context.state().nodes() : Map.of();
        if (daemonSet && context.state().reach().leavesWhenReady()) {
            NodeAffinity.without(
                    tree,
                    MetadataKeys.stateLabel(context.name(), context.state().number()));
        } else if (daemonSet && context.state().reach().leavesWithDriver()) {
            NodeAffinity.withoutValue(
                    tree,
                    MetadataKeys.stateLabel(context.name(), context.state().number()),
                    MetadataKeys.STATE_LEAVING);
        }
        if (daemonSet && waitsByItself(context.state()) && !isKernelAffine(tree)) {
            // No label of a state before keeps its pods off nodes that are not served.
            NodeAffinity.withAny(tree, MetadataKeys.poolLabel(context.name()));
        }
        if (selector.isEmpty() && barriers.isEmpty() && nodes.isEmpty()) {
            return;
        }
        Workloads.nodeSelector(tree).ifPresent(path -> {
            Map<String, Object> target = ValueTrees.ensureMap(tree, path);
            // Only nodes that are selected have the label of the pool or of a variant, and they keep it for a while
            // when a feature's
            // label goes.
            boolean pooled = target.containsKey(MetadataKeys.poolLabel(context.name()))
                    || target.containsKey(MetadataKeys.runtimeLabel(context.name()));
            selector.forEach((key, value) -> {
                if (!pooled || !VanishedLabels.isFeature(key)) {
                    target.put(key, value);
                }
            });
            target.putAll(nodes);
            barriers.forEach(label -> target.put(label, MetadataKeys.STATE_READY));
        });
    }

    private static boolean waitsByItself(State state) {
        return state.reach().hasOwnBarrier() && state.nodes().isEmpty();
    }

    private static void ownedLabels(Map<String, Object> tree, HookContext context) {
        String resource = MetadataKeys.specialResourceLabel(context.name());
        Map<String, Object> labels = ValueTrees.ensureMap(tree, "metadata", "labels");
        labels.put(MetadataKeys.OWNED, "true");
        labels.put(MetadataKeys.SPECIAL_RESOURCE, resource);
        ValueTrees.ensureMap(tree, "metadata", "annotations")
                .put(MetadataKeys.STATE, context.state().id());
        if (!"DeviceClass".equals(tree.get("kind"))) {
            context.state()
                    .draDriver()
                    .ifPresent(driver -> ValueTrees.ensureMap(tree, "metadata", "annotations")
                            .put(MetadataKeys.DRA_DRIVER, driver));
        }
        Workloads.podTemplate(tree).filter(path -> path.length > 0).ifPresent(path -> {
            Map<String, Object> podLabels = ValueTrees.ensureMap(tree, Workloads.join(path, "metadata", "labels"));
            podLabels.put(MetadataKeys.OWNED, "true");
            podLabels.put(MetadataKeys.SPECIAL_RESOURCE, resource);
        });
    }

    /** What the plugin's scheduling policy tolerates, beside what the manifest does. */
    private static void tolerations(Map<String, Object> tree, HookContext context) {
        if (context.tolerations().isEmpty()) {
            return;
        }
        // A Module of KMM hands them on to its pods.
        boolean module = "Module".equals(tree.get("kind"))
                && String.valueOf(tree.get("apiVersion")).startsWith("kmm.sigs.x-k8s.io/");
        Optional<String[]> template = module ? Optional.of(new String[0]) : Workloads.podTemplate(tree);
        template.ifPresent(path -> {
            Map<String, Object> spec = ValueTrees.ensureMap(tree, Workloads.join(path, "spec"));
            List<Map<String, Object>> all = new ArrayList<>(ValueTrees.maps(spec, "tolerations"));
            // What is tolerated anyway is no reason to start pods anew.
            context.tolerations().stream()
                    .filter(wanted -> all.stream()
                            .noneMatch(present -> present.equals(wanted) || PodRules.covers(present, wanted)))
                    .forEach(all::add);
            spec.put("tolerations", all);
        });
    }

    /** What stays in the end is marked, so that it is known even when its recipe is not. */
    private static void keep(Map<String, Object> tree, HookContext context) {
        if (context.state().cleanup() == State.Cleanup.KEEP) {
            ValueTrees.ensureMap(tree, "metadata", "annotations").put(MetadataKeys.KEEP, "true");
        }
    }

    private static void owner(Map<String, Object> tree, HookContext context) {
        if ("true".equals(ValueTrees.text(tree, "metadata", "annotations", MetadataKeys.KEEP))) {
            // Garbage collection would take it.
            ValueTrees.ensureMap(tree, "metadata").remove("ownerReferences");
            return;
        }
        List<Object> owners = new ArrayList<>();
        Map<String, Object> owner = reference(context.recipe().specialResource());
        // Where that is policed it takes a right on special resources, which no account of a recipe has.
        owner.put("blockOwnerDeletion", context.account().isEmpty());
        owners.add(owner);
        ValueTrees.ensureMap(tree, "metadata").put("ownerReferences", owners);
    }

    /**
     * By whose rights it is written, whatever the manifest says. The namespace of the operands is SRO's to make: the account is in it.
     */
    private static void account(Map<String, Object> tree, HookContext context) {
        boolean own = "v1".equals(tree.get("apiVersion"))
                && "Namespace".equals(tree.get("kind"))
                && context.namespace().equals(ValueTrees.text(tree, "metadata", "name"));
        Map<String, Object> annotations = ValueTrees.ensureMap(tree, "metadata", "annotations");
        annotations.remove(MetadataKeys.ACCOUNT);
        context.account()
                .filter(unused -> !own)
                .ifPresent(account -> annotations.put(MetadataKeys.ACCOUNT, account.mark()));
    }

    /** To the special resource that an object goes with. */
    static Map<String, Object> reference(SpecialResource resource) {
        Map<String, Object> reference = new LinkedHashMap<>();
        reference.put("apiVersion", resource.getApiVersion());
        reference.put("kind", resource.getKind());
        reference.put("name", String.valueOf(resource.getMetadata().getName()));
        reference.put("uid", String.valueOf(resource.getMetadata().getUid()));
        reference.put("controller", true);
        reference.put("blockOwnerDeletion", true);
        return reference;
    }

    private static void nameLength(Map<String, Object> tree, HookContext context) {
        String kind = String.valueOf(tree.get("kind"));
        String name = ValueTrees.text(tree, "metadata", "name");
        int max = SHORT_NAMES.contains(kind) ? MAX_LABEL : MAX_NAME;
        if (name.length() > max) {
            throw new RenderException(Problem.user(
                    "NameTooLong",
                    context.state().id() + ": the name of " + kind + " \"" + name + "\" has " + name.length()
                            + " characters, " + max + " are allowed; choose a shorter name for the special resource or"
                            + " in the manifest"));
        }
    }
}
