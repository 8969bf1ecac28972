package dev.sro.core.engine;

import dev.sro.api.resource.SpecialResource;
import dev.sro.core.engine.port.EventSink;
import dev.sro.core.plan.Transition;
import dev.sro.core.upgrade.machine.RolloutPlan;
import java.util.List;

/**
 * What becomes an event.
 *
 * @param events where they go
 */
record EventPublisher(EventSink events) {

    void transitions(SpecialResource resource, List<Transition> transitions) {
        transitions.forEach(transition -> events.publish(resource, transition));
    }

    void notices(SpecialResource resource, List<RolloutPlan.Notice> notices) {
        for (RolloutPlan.Notice notice : notices) {
            String where = notice.node().isEmpty() ? "" : "node " + notice.node() + ": ";
            events.publish(resource, new Transition(notice.warning(), notice.code(), where + notice.message()));
        }
    }
}
