package dev.sro.runtime.demo;

import dev.sro.core.plan.Plan;
import java.time.Duration;
import java.util.List;

/** Shows a demo while it runs. Called from one thread. */
interface DemoView {

    /** A phase begins. */
    void begins(Phase phase);

    /**
     * Some time passed.
     *
     * @param since the beginning of the demo, in the cluster's time
     * @param plan how far everything is
     */
    void update(Duration since, Plan plan);

    /**
     * What is where on the GPUs of a fleet.
     *
     * @param since the beginning of the demo, in the cluster's time
     * @param lines one for each node, and one for all
     */
    void fleet(Duration since, List<String> lines);

    /** A phase ended. */
    void ended(PhaseResult result);

    /** Everything ended. */
    void summary(List<PhaseResult> results);

    /** A message for the user. */
    void say(String message);
}
