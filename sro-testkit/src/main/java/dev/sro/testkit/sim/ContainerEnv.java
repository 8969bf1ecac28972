package dev.sro.testkit.sim;

import java.time.Duration;
import java.util.function.UnaryOperator;

/**
 * What is common to the containers of a pod.
 *
 * @param pod as kubelets name it in messages: {@code name_namespace(uid)}
 * @param said termination message on this machine of the init container of this name, if that ends well; may be empty
 * @param log what the container of this name has written; may be empty
 */
record ContainerEnv(
        String pod,
        SimTimings timings,
        SimRegistry registry,
        Behaviors behaviors,
        NodeFiles files,
        String node,
        String workload,
        String restartPolicy,
        boolean ends,
        Duration runTime,
        UnaryOperator<String> said,
        UnaryOperator<String> log) {}
