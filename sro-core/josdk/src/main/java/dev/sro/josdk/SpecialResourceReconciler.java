package dev.sro.josdk;

import dev.sro.api.resource.SpecialResource;
import dev.sro.core.embed.NextReconcile;
import dev.sro.core.embed.SpecialResourceOperator;
import dev.sro.core.embed.SpecialResourceOperatorBuilder;
import io.javaoperatorsdk.operator.api.config.informer.Informer;
import io.javaoperatorsdk.operator.api.reconciler.Constants;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The reconciler of special resources, for an {@link io.javaoperatorsdk.operator.Operator} of the Java Operator SDK. Register it as any
 * other: SRO starts when the SDK starts its controllers, and ends with them. Everything but the queue of reconciles (informers, look-ups,
 * builds, upgrades, statuses) stays SRO's, so no option of the SDK's but threads and retries means anything for it.
 *
 * <p>The two options that the SDK must have are on this class: it has to tell of every event, as SRO takes its finalizer off by itself, and
 * of those that leave the generation as it is, as annotations count. A configuration given with the registration must not undo them.
 *
 * <p>Thread-safe. The SDK never reconciles one special resource twice at a time, as SRO wants it.
 *
 * @since 0.1.0
 */
@ControllerConfiguration(
        name = "special-resources",
        informer = @Informer(namespaces = Constants.WATCH_ALL_NAMESPACES),
        generationAwareEventProcessing = false,
        triggerReconcilerOnAllEvents = true)
public final class SpecialResourceReconciler implements Reconciler<SpecialResource> {

    /** The SDK has no wake-up that is due at once. */
    private static final Duration SHORTEST = Duration.ofMillis(1);

    private final DueSpecialResources due;

    private SpecialResourceReconciler(SpecialResourceOperatorBuilder builder) {
        this.due = new DueSpecialResources(builder);
    }

    /**
     * The reconciler of an operator.
     *
     * @param builder with at least the client; {@code driven} is set here. With several replicas set {@code lease}, which also holds up
     *     what SRO writes beside reconciles; the SDK's own leader election does not know of that
     */
    public static SpecialResourceReconciler of(SpecialResourceOperatorBuilder builder) {
        return new SpecialResourceReconciler(builder);
    }

    /** SRO while it runs, for its rights, its readiness and requests; empty before the SDK has started it and after it has stopped it. */
    public Optional<SpecialResourceOperator> operator() {
        return due.operator();
    }

    @Override
    public List<EventSource<?, SpecialResource>> prepareEventSources(EventSourceContext<SpecialResource> context) {
        return List.of(due);
    }

    /** Reconciles; a special resource that is gone, too, so that SRO forgets it. What is refused is in the status, never thrown. */
    @Override
    public UpdateControl<SpecialResource> reconcile(SpecialResource resource, Context<SpecialResource> context) {
        Optional<Duration> after = due.operator()
                .map(operator -> operator.reconcile(resource.getMetadata().getName()))
                .flatMap(NextReconcile::after);
        UpdateControl<SpecialResource> nothing = UpdateControl.noUpdate();
        return after.map(delay -> nothing.rescheduleAfter(delay.compareTo(SHORTEST) < 0 ? SHORTEST : delay))
                .orElse(nothing);
    }
}
