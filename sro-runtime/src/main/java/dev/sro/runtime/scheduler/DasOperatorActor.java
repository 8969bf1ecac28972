package dev.sro.runtime.scheduler;

import dev.sro.core.das.DasNames;
import dev.sro.core.dra.DraOptions;
import dev.sro.core.model.ValueTrees;
import dev.sro.runtime.SroVersion;
import dev.sro.runtime.scheduler.DasConditions.Condition;
import dev.sro.runtime.scheduler.DasOperatorSpec.State;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.net.HttpURLConnection;
import java.time.Clock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Does what the {@code DASOperator} asks for, as far as there is such a thing here: the node selector of the agents' DaemonSet, and nothing else of
 * it. Applied without force, so that one that somebody else set stays. Thread-safe.
 */
final class DasOperatorActor implements AutoCloseable {
    /** Field manager of what is written. */
    static final String MANAGER = "sro-das-operator";

    /** No node has this label: so agents go and come back without their DaemonSet being deleted. */
    static final String REMOVED = "slices.sro.dev/agents-removed";

    private static final Logger LOG = LoggerFactory.getLogger(DasOperatorActor.class);

    private static final ResourceDefinitionContext OPERATORS = new ResourceDefinitionContext.Builder()
            .withGroup(DasNames.GROUP)
            .withVersion(DasNames.VERSION)
            .withKind("DASOperator")
            .withPlural("dasoperators")
            .withNamespaced(true)
            .build();

    /** @param name of the DaemonSet of the agents, in the namespace */
    record Agents(String namespace, String name) {}

    private final KubernetesClient client;
    private final Agents agents;
    private final BooleanSupplier leads;
    private final Clock clock;
    private final ToldOnce told = new ToldOnce(what -> LOG.atWarn().log("{}", what));
    private final ObjectWatches watches = new ObjectWatches(this::request);
    private final SoonTask look;
    private final SharedIndexInformer<GenericKubernetesResource> operators;
    private final SharedIndexInformer<DaemonSet> sets;

    DasOperatorActor(KubernetesClient client, Agents agents, BooleanSupplier leads, Clock clock, Executor executor) {
        this.client = client;
        this.agents = agents;
        this.leads = leads;
        this.clock = clock;
        this.look = new SoonTask(executor, "the DASOperator was not looked after", this::pass);
        this.operators = client.genericKubernetesResources(OPERATORS)
                .inNamespace(DasNames.NAMESPACE)
                .runnableInformer(0);
        this.sets = client.apps()
                .daemonSets()
                .inNamespace(agents.namespace())
                .withName(agents.name())
                .runnableInformer(0);
        watches.follow(operators, seen -> {}, gone -> {});
        watches.follow(sets, seen -> {}, gone -> {});
    }

    /** Watches from now on. */
    void start() {
        watches.start();
    }

    /** Whether all that is watched was seen once. */
    boolean isFilled() {
        return watches.isFilled();
    }

    /** Looks soon; several requests are one look. */
    void request() {
        look.request();
    }

    private void pass() {
        if (!leads.getAsBoolean() || !isFilled()) {
            return;
        }
        for (GenericKubernetesResource operator : operators.getStore().list()) {
            if (operator.getMetadata().getDeletionTimestamp() == null) {
                String name = operator.getMetadata().getName();
                try {
                    act(operator);
                    told.tell(name, "");
                } catch (KubernetesClientException e) {
                    told.tell(name, "DASOperator " + name + ": " + e.getMessage());
                }
            }
        }
    }

    private void act(GenericKubernetesResource operator) {
        if (!operator.getMetadata().getName().equals(DasOperatorSpec.SINGLETON)) {
            report(operator, DasConditions.another());
            return;
        }
        DasOperatorSpec spec = DasOperatorSpec.of(operator);
        if (spec.state() == State.UNMANAGED) {
            report(operator, DasConditions.unmanaged());
            return;
        }
        Optional<DaemonSet> set = sets.getStore().list().stream().findFirst();
        Optional<Condition> fault = set.isEmpty()
                ? Optional.of(DasConditions.fault(
                        "AgentsNotInstalled",
                        "there is no DaemonSet " + agents.namespace() + "/" + agents.name()
                                + ": install the agents, or name it by --das-operator NAMESPACE/NAME"))
                : Optional.empty();
        boolean removed = spec.state() == State.REMOVED;
        if (set.isPresent() && removed) {
            fault = inUse();
        }
        removed &= fault.isEmpty();
        if (set.isPresent() && fault.isEmpty()) {
            SortedMap<String, String> selector = new TreeMap<>(spec.nodeSelector());
            if (removed) {
                selector.put(REMOVED, "true");
            }
            fault = place(set.get(), selector);
        }
        List<Condition> conditions =
                new ArrayList<>(DasConditions.of(agents.name(), set, fault, removed && fault.isEmpty()));
        conditions.add(DasConditions.served(spec.unserved()));
        report(operator, conditions);
    }

    /** Why agents cannot go: they take slices away when their pods have ended, and nobody else does. */
    private Optional<Condition> inUse() {
        List<String> users = new ArrayList<>();
        client.genericKubernetesResources(ClaimWriter.CLAIMS)
                .inAnyNamespace()
                .list()
                .getItems()
                .forEach(claim ->
                        users.add("AllocationClaim " + claim.getMetadata().getNamespace() + "/"
                                + claim.getMetadata().getName()));
        try {
            client.resources(ResourceClaim.class).inAnyNamespace().list().getItems().stream()
                    .filter(DasOperatorActor::hasSlices)
                    .forEach(claim ->
                            users.add("ResourceClaim " + claim.getMetadata().getNamespace() + "/"
                                    + claim.getMetadata().getName()));
        } catch (KubernetesClientException e) {
            // Clusters before 1.34 have none of this version.
            if (e.getCode() != HttpURLConnection.HTTP_NOT_FOUND) {
                throw e;
            }
        }
        return users.isEmpty()
                ? Optional.empty()
                : Optional.of(DasConditions.fault(
                        "SlicesInUse",
                        "spec.managementState Removed: " + users.size()
                                + " slices are promised or in use, the first by "
                                + users.get(0)
                                + "; agents go when their pods have ended, or set it to Managed or Unmanaged"));
    }

    private static boolean hasSlices(ResourceClaim claim) {
        return claim.getStatus() != null
                && claim.getStatus().getAllocation() != null
                && claim.getStatus().getAllocation().getDevices() != null
                && claim.getStatus().getAllocation().getDevices().getResults().stream()
                        .anyMatch(result -> DraOptions.DRIVER.equals(result.getDriver()));
    }

    /** Nothing is written where it is so already, and nothing was of ours. */
    private Optional<Condition> place(DaemonSet set, SortedMap<String, String> selector) {
        Map<String, String> there = Optional.ofNullable(
                        set.getSpec().getTemplate().getSpec().getNodeSelector())
                .orElse(Map.of());
        boolean ours = isOurs(set);
        if (selector.isEmpty() ? !ours : ours && there.equals(selector)) {
            return Optional.empty();
        }
        Map<String, Object> wanted = new LinkedHashMap<>();
        if (!selector.isEmpty()) {
            wanted.put("template", Map.of("spec", Map.of("nodeSelector", selector)));
        }
        GenericKubernetesResource patch = new GenericKubernetesResource();
        patch.setApiVersion("apps/v1");
        patch.setKind("DaemonSet");
        // With the UID none is made where this one has gone.
        patch.setMetadata(new ObjectMetaBuilder()
                .withName(agents.name())
                .withNamespace(agents.namespace())
                .withUid(set.getMetadata().getUid())
                .build());
        if (!wanted.isEmpty()) {
            patch.setAdditionalProperty("spec", wanted);
        }
        try {
            client.resource(patch).patch(apply(false));
            LOG.atInfo().log(
                    "DaemonSet {}/{}: spec.template.spec.nodeSelector of the DASOperator: {}",
                    agents.namespace(),
                    agents.name(),
                    selector);
            return Optional.empty();
        } catch (KubernetesClientException e) {
            return Optional.of(refusal(e, selector, there));
        }
    }

    /** @throws KubernetesClientException that it is given, if it will do better another time */
    private Condition refusal(KubernetesClientException e, Map<String, String> selector, Map<String, String> there) {
        String set = "DaemonSet " + agents.namespace() + "/" + agents.name();
        // Another conflict is that of a UID, as the DaemonSet was made anew.
        if (e.getCode() == HttpURLConnection.HTTP_CONFLICT
                && String.valueOf(e.getMessage()).contains("conflict with")) {
            return DasConditions.fault(
                    "NodeSelectorConflict",
                    "spec.nodeSelector " + selector + ": somebody else set spec.template.spec.nodeSelector of " + set
                            + " to " + there + "; take it out of there, or out of here");
        }
        if (e.getCode() == HttpURLConnection.HTTP_FORBIDDEN) {
            return DasConditions.fault(
                    "Forbidden",
                    set + " may not be patched: install the rights of kustomize/slices-das-operator, or"
                            + " slices.dasOperator.enabled=true of the chart");
        }
        throw e;
    }

    /** Whether the selector was applied here; the API server has it belong to somebody as a whole. */
    private static boolean isOurs(DaemonSet set) {
        return set.getMetadata().getManagedFields().stream()
                .filter(entry -> MANAGER.equals(entry.getManager()) && entry.getFieldsV1() != null)
                .anyMatch(entry -> ValueTrees.map(
                                ValueTrees.copy(entry.getFieldsV1().getAdditionalProperties()),
                                "f:spec",
                                "f:template",
                                "f:spec")
                        .containsKey("f:nodeSelector"));
    }

    private static PatchContext apply(boolean force) {
        return new PatchContext.Builder()
                .withPatchType(PatchType.SERVER_SIDE_APPLY)
                .withFieldManager(MANAGER)
                .withForce(force)
                .build();
    }

    /** By force, as DAS's operator wrote the status before, which is stopped. */
    private void report(GenericKubernetesResource operator, List<Condition> conditions) {
        Map<String, Object> before = ValueTrees.map(ValueTrees.copy(operator.getAdditionalProperties()), "status");
        Map<String, Object> status = new LinkedHashMap<>();
        status.put("observedGeneration", operator.getMetadata().getGeneration());
        status.put("version", SroVersion.current());
        status.put("conditions", DasConditions.trees(conditions, before, clock.instant()));
        if (status.entrySet().stream().allMatch(entry -> same(entry.getValue(), before.get(entry.getKey())))) {
            return;
        }
        GenericKubernetesResource patch = new GenericKubernetesResource();
        patch.setApiVersion(DasNames.API_VERSION);
        patch.setKind("DASOperator");
        patch.setMetadata(new ObjectMetaBuilder()
                .withName(operator.getMetadata().getName())
                .withNamespace(operator.getMetadata().getNamespace())
                .withUid(operator.getMetadata().getUid())
                .build());
        patch.setAdditionalProperty("status", status);
        client.genericKubernetesResources(OPERATORS)
                .inNamespace(DasNames.NAMESPACE)
                .resource(patch)
                .subresource("status")
                .patch(apply(true));
    }

    /** Numbers are of one type here and of another there. */
    private static boolean same(@Nullable Object one, @Nullable Object other) {
        return Objects.equals(one, other) || String.valueOf(one).equals(String.valueOf(other));
    }

    @Override
    public void close() {
        watches.close();
    }
}
