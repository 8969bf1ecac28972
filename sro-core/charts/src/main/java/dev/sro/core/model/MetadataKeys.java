package dev.sro.core.model;

import java.util.List;
import java.util.Optional;

/**
 * Labels, annotations and managers by which SRO recognises what it made. The {@code specialresource.openshift.io} ones
 * are those of the Special Resource Operator, kept so that its tools and recipes go on working.
 */
public final class MetadataKeys {

    /** Field manager of every server-side apply on operands and special resources. */
    public static final String FIELD_MANAGER = "sro";

    /** Label {@code "true"} on every operand. */
    public static final String OWNED = "specialresource.openshift.io/owned";

    /** Label: name of the special resource that an operand belongs to (hashed when longer than a label). */
    public static final String SPECIAL_RESOURCE = "sro.dev/special-resource";

    /** Annotation: id of the state that an operand belongs to. */
    public static final String STATE = "sro.dev/state";

    /** Annotation: name of the pool that a kernel-affine operand belongs to; absent on the others. */
    public static final String POOL = "sro.dev/pool";

    /** Annotation: digest of the object as SRO last applied it. */
    public static final String APPLIED = "sro.dev/applied";

    /**
     * Annotation: digest of the object as the recipe has it, on kinds that are made anew when it changes. What SRO adds by
     * itself is not in it: a new label of SRO's is no reason to build a driver again.
     */
    public static final String MANIFEST = "sro.dev/manifest";

    /** Annotation {@code "true"}: one object per pool, renamed and pinned to the pool's kernel. */
    public static final String KERNEL_AFFINE = "specialresource.openshift.io/kernel-affine";

    /**
     * Annotation {@code "true"} on a kernel-affine object: where it refers by name to other kernel-affine objects of the recipe, it
     * refers to those of its own pool.
     */
    public static final String AFFINE_REFERENCES = "sro.dev/affine-references";

    /** Helm's own limit ({@code pkg/action/install.go}). */
    private static final int MAX_RELEASE = 53;

    /** Annotation: the name that a kernel-affine object has in its recipe, where it is too long to stand before the pool's suffix. */
    public static final String AFFINE_OF = "sro.dev/affine-of";

    /** Annotation {@code "false"}: the state does not wait for this object. */
    public static final String WAIT = "specialresource.openshift.io/wait";

    /** Annotation: a regular expression that has to be found in the log of each pod of the object. */
    public static final String WAIT_FOR_LOGS = "specialresource.openshift.io/wait-for-logs";

    /** How recipes of 2020, and the operator of then, spelled {@link #WAIT_FOR_LOGS}. */
    public static final String WAIT_FOR_LOGS_MISSPELT = "specialresrouce.openshift.io/wait-for-logs";

    /** Annotation: a CEL expression on {@code object} that says whether the object is ready, instead of the rule of its kind. */
    public static final String READY_WHEN = "sro.dev/ready-when";

    /**
     * Annotation with the same word on a BuildConfig and on the DaemonSet that runs its image: the image is built only if it
     * cannot be pulled.
     */
    public static final String VENDOR = "specialresource.openshift.io/driver-container-vendor";

    /** Annotation {@code "true"}: every container of the workload gets the cluster's proxy as environment variables. */
    public static final String PROXY = "specialresource.openshift.io/proxy";

    /** Annotation that asks for a hook by its name, in both spellings; of the hooks of SRO itself any value asks for all. */
    public static final List<String> CALLBACKS = List.of("specialresource.openshift.io/callback", "callback");

    /** Annotation on a special resource: from where its images are pulled instead; see {@link ImageMirrors#parse}. */
    public static final String IMAGE_MIRRORS = "sro.dev/image-mirrors";

    /** Annotation {@code "true"} on a special resource: a value that its chart reads and nobody defined is a problem. */
    public static final String STRICT = "sro.dev/strict";

    /** Annotation: JSON pointers of the fields that the chart makes anew each time that it is rendered; what was written first stays. */
    public static final String GENERATED = "sro.dev/generated-fields";

    /**
     * Annotation {@code "true"}: the Special Resource Operator made the object, and it runs as that left it, without what SRO adds to
     * pods.
     */
    public static final String ADOPTED = "sro.dev/adopted";

    /**
     * Annotation: fields of the recipe that the cluster's API does not have and that were left out, after the digest of the object
     * with them.
     */
    public static final String UNDECLARED = "sro.dev/undeclared-fields";

    /**
     * Annotation on a DaemonSet: key of a label that each node gets with the value {@code ready} while the DaemonSet is ready on
     * it.
     */
    public static final String READY_LABEL = "sro.dev/ready-label";

    /**
     * Annotation on a DaemonSet or a template of worker pods: {@code "true"} says that it carries the driver, {@code "false"} that it does not. Absent: a
     * kernel-affine one of a state that is reached node by node does.
     */
    public static final String DRIVER = "sro.dev/driver";

    /**
     * Annotation in the pod template of a driver's DaemonSet: as long as it is the same, a changed template asks for a restart of the
     * pod and for nothing else.
     */
    public static final String DRIVER_DIGEST = "sro.dev/driver-digest";

    /** Annotation in the pod template of a driver's DaemonSet: version of the driver, for plugins; absent: the image's tag. */
    public static final String DRIVER_VERSION = "sro.dev/driver-version";

    /** Annotation on a driver's DaemonSet, or template of worker pods, that SRO upgrades: digest of the pod template as SRO applied it. */
    public static final String DRIVER_REVISION = "sro.dev/driver-revision";

    /** Annotation on objects in which upgrades of drivers are kept: {@code journal}, {@code revisions} or {@code maintenance}. */
    public static final String UPGRADE = "sro.dev/driver-upgrade";

    /** Annotation on what loads modules: which nodes of the pool it is for; absent for all of them. */
    public static final String LOAD_WHEN = "sro.dev/load-when";

    /** Annotation on the pod template of worker pods: digest of the configuration that they load. */
    public static final String LOAD_CONFIG = "sro.dev/load-config";

    /** Annotation on a worker pod: what it does, of which configuration, in which boot of its node. */
    public static final String WORK = "sro.dev/work";

    /**
     * Annotation: the image of the driver that the object was made with, by which it is known after a restart which one the pool
     * has.
     */
    public static final String DRIVER_IMAGE = "sro.dev/driver-image";

    /**
     * Annotation on a workload: name of the container, or {@code *} for all, whose image is that of the pool's driver, whatever the
     * manifest says.
     */
    public static final String USE_DRIVER_IMAGE = "sro.dev/use-driver-image";

    /** Annotation of what holds or lists images that SRO built: it stays when nothing is built any more. */
    public static final String BUILT_IMAGES = "sro.dev/built-images";

    /**
     * Annotation: the {@link RecipeAccount} by whose rights the object is written and deleted, {@code namespace/name}; absent on what
     * SRO writes as itself.
     */
    public static final String ACCOUNT = "sro.dev/account";

    /** Annotation {@code "true"}: the object stays when it is not wanted any more. */
    public static final String KEEP = "sro.dev/keep";

    /** Label of pods in which SRO itself runs, with the value {@code true}: no upgrade evicts them. */
    public static final String OPERATOR = "sro.dev/operator";

    /** Label {@code "true"} on a special resource that SRO made for {@code spec.dependencies} of another one. */
    public static final String DEPENDENCY = "sro.dev/dependency";

    /**
     * Annotation {@code "true"} on a special resource: when it is deleted, the special resources that SRO made for its dependencies
     * go too, as far as no other one needs them.
     */
    public static final String DELETE_DEPENDENCIES = "sro.dev/delete-dependencies";

    /** Annotation on a hook of a Helm chart: digest of the object as the chart has it. */
    public static final String HOOK = "sro.dev/hook";

    /** Annotation on a hook of a Helm chart: for which event it runs, and since when. */
    public static final String HOOK_RUN = "sro.dev/hook-run";

    /** Annotation on the record of a release: how far its hooks are. Who removes it has them run again. */
    public static final String HOOKS = "sro.dev/hooks";

    /**
     * Annotation {@code "true"} on a special resource: its chart's hooks before and after deletion do not run, and its plugin is not
     * asked whether objects may go.
     */
    public static final String SKIP_DELETE_HOOKS = "sro.dev/skip-delete-hooks";

    /**
     * Annotation on an object: it belongs to this driver for Dynamic Resource Allocation, and stays as long as a claim is allocated by
     * it.
     */
    public static final String DRA_DRIVER = "sro.dev/dra-driver";

    /** Annotation on a special resource: names of drivers, with commas between them, that go although claims are allocated by them. */
    public static final String ABANDON_CLAIMS = "sro.dev/abandon-claims";

    /** Annotation on the configuration of a webhook: what pods get that ask for the device. */
    public static final String POD_RULES = "sro.dev/pod-rules";

    /** How the node annotations of {@link #taintsAnnotation} begin. */
    public static final String TAINTS_PREFIX = "sro.dev/taints-";

    /** Node label written by Node Feature Discovery, and by SRO where that is absent. */
    public static final String KERNEL_LABEL = "feature.node.kubernetes.io/kernel-version.full";

    /** Finalizer on the special resource. */
    public static final String FINALIZER = "sro.openshift.io/finalizer";

    /** Finalizer of the Special Resource Operator up to its version 4.9. */
    public static final String OLD_FINALIZER = "finalizer.sro.openshift.io";

    /** Annotation on a DaemonSet that places files: digest of its variant, and so which nodes it is for, see {@link #runtimeLabel}. */
    public static final String RUNTIME_VARIANT = "sro.dev/runtime-variant";

    /** How the node labels of {@link #runtimeLabel} begin. */
    public static final String RUNTIME_LABEL_PREFIX = "sro.dev/runtime-";

    /** How the node annotations of {@link #validatedAnnotation} begin. */
    public static final String VALIDATED_PREFIX = "sro.dev/validated-";

    /** How the node labels of {@link #loadedLabel} begin. */
    public static final String LOADED_LABEL_PREFIX = "sro.dev/loaded-";

    /** How the node labels of {@link #stateLabel} begin. */
    public static final String STATE_LABEL_PREFIX = "specialresource.openshift.io/state-";

    /** How the node labels of {@link #capabilityLabel} begin. */
    public static final String CAPABILITY_LABEL_PREFIX = "sro.dev/capability-";

    /** How the node labels of {@link #gateLabel} begin. */
    public static final String GATE_LABEL_PREFIX = "sro.dev/gate-";

    /** How the node labels of {@link #poolLabel} begin. */
    public static final String POOL_LABEL_PREFIX = "sro.dev/pool-";

    /** Length of {@code loaded-}. */
    private static final int LOADED_LABEL_OVERHEAD = 7;

    /** Length of {@code validated-}, a dash and four digits. */
    private static final int VALIDATED_OVERHEAD = 15;

    /** Length of {@code taints-}. */
    private static final int TAINTS_OVERHEAD = 7;

    /** Value of a {@link #stateLabel} on a node that has reached the state. */
    public static final String STATE_READY = "Ready";

    /** Value of a {@link #stateLabel} on a node that pods of the state have to leave, as a driver before it is replaced there. */
    public static final String STATE_LEAVING = "Leaving";

    /** Length of {@code runtime-}. */
    private static final int RUNTIME_LABEL_OVERHEAD = 8;

    /** Length of {@code pool-}. */
    private static final int POOL_LABEL_OVERHEAD = 5;

    private static final int MAX_LABEL = 63;

    private static final int STATE_NUMBER = 4;

    /** Length of {@code state-}, a dash and four digits. */
    private static final int STATE_LABEL_OVERHEAD = 11;

    private MetadataKeys() {}

    /** Node label that says that a state is ready on the node: {@code …/state-<special resource>-<NNNN>}. */
    public static String stateLabel(String specialResource, String number) {
        return STATE_LABEL_PREFIX + fit(specialResource, MAX_LABEL - STATE_LABEL_OVERHEAD) + "-" + number;
    }

    /** Node label that says that a special resource has brought a capability to the node: {@code sro.dev/capability-<name>}. */
    public static String capabilityLabel(String capability) {
        return CAPABILITY_LABEL_PREFIX + capability;
    }

    /** Node label that lets a state onto the node that waits for capabilities of others: {@code sro.dev/gate-<special resource>-<NNNN>}. */
    public static String gateLabel(String specialResource, String number) {
        return GATE_LABEL_PREFIX + fit(specialResource, MAX_LABEL - STATE_LABEL_OVERHEAD) + "-" + number;
    }

    /** The special resource whose {@link #stateLabel} this is; empty for any other label. Its name may be cut. */
    public static Optional<String> stateLabelOwner(String label) {
        int dash = label.length() - STATE_NUMBER - 1;
        boolean numbered = label.startsWith(STATE_LABEL_PREFIX)
                && dash > STATE_LABEL_PREFIX.length()
                && label.charAt(dash) == '-'
                && label.substring(dash + 1).chars().allMatch(c -> c >= '0' && c <= '9');
        return numbered ? Optional.of(label.substring(STATE_LABEL_PREFIX.length(), dash)) : Optional.empty();
    }

    /** Node label that says which pool a node is in: {@code sro.dev/pool-<special resource>}. */
    public static String poolLabel(String specialResource) {
        return POOL_LABEL_PREFIX + fit(specialResource, MAX_LABEL - POOL_LABEL_OVERHEAD);
    }

    /** Node label that says what worker pods have loaded there: {@code sro.dev/loaded-<special resource>}. */
    public static String loadedLabel(String specialResource) {
        return LOADED_LABEL_PREFIX + fit(specialResource, MAX_LABEL - LOADED_LABEL_OVERHEAD);
    }

    /** Node annotation with the taints that were put there for a special resource: {@code sro.dev/taints-<special resource>}. */
    public static String taintsAnnotation(String specialResource) {
        return TAINTS_PREFIX + fit(specialResource, MAX_LABEL - TAINTS_OVERHEAD);
    }

    /** Node annotation with the time until which a validation that is repeated counts: {@code sro.dev/validated-<special resource>-<NNNN>}. */
    public static String validatedAnnotation(String specialResource, String number) {
        return VALIDATED_PREFIX + fit(specialResource, MAX_LABEL - VALIDATED_OVERHEAD) + "-" + number;
    }

    /** Node label that says which files the container runtime gets there: {@code sro.dev/runtime-<special resource>}. */
    public static String runtimeLabel(String specialResource) {
        return RUNTIME_LABEL_PREFIX + fit(specialResource, MAX_LABEL - RUNTIME_LABEL_OVERHEAD);
    }

    /** The value of {@link #SPECIAL_RESOURCE} for this name. */
    public static String specialResourceLabel(String name) {
        return fit(name, MAX_LABEL);
    }

    /** Field manager of node labels; one for each special resource, so that two may hold the same label. */
    public static String nodeManager(String specialResource) {
        return FIELD_MANAGER + "." + fit(specialResource, 120);
    }

    /** The name of the Helm release of a special resource, or of a module. */
    public static String releaseName(String name) {
        return fit(name, MAX_RELEASE);
    }

    /** The text, or when it is too long its beginning and a hash of all of it. */
    public static String fit(String text, int max) {
        if (text.length() <= max) {
            return text;
        }
        String hash = Fnv1a64.hex(text);
        // No dash follows a dot in a name.
        return text.substring(0, max - hash.length() - 1).replaceAll("[.]+$", "") + "-" + hash;
    }
}
