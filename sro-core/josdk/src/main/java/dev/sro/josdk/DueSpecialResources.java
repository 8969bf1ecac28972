package dev.sro.josdk;

import dev.sro.api.resource.SpecialResource;
import dev.sro.core.embed.SpecialResourceOperator;
import dev.sro.core.embed.SpecialResourceOperatorBuilder;
import io.javaoperatorsdk.operator.processing.event.Event;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.AbstractEventSource;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Tells the SDK whose reconcile is due; SRO lives as long as this event source runs. Thread-safe. */
final class DueSpecialResources extends AbstractEventSource<Void, SpecialResource> {

    private final SpecialResourceOperatorBuilder builder;

    private volatile @Nullable SpecialResourceOperator operator;

    DueSpecialResources(SpecialResourceOperatorBuilder builder) {
        super(Void.class, "sro");
        this.builder = builder;
    }

    Optional<SpecialResourceOperator> operator() {
        return Optional.ofNullable(operator);
    }

    @Override
    public synchronized void start() {
        if (operator == null) {
            operator = builder.driven(name -> getEventHandler().handleEvent(new Event(new ResourceID(name))))
                    .start();
            super.start();
        }
    }

    @Override
    public synchronized void stop() {
        SpecialResourceOperator running = operator;
        operator = null;
        if (running != null) {
            running.close();
        }
        super.stop();
    }

    @Override
    public Set<Void> getSecondaryResources(SpecialResource primary) {
        return Set.of();
    }
}
