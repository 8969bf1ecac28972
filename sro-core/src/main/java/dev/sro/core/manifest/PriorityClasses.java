package dev.sro.core.manifest;

import dev.sro.core.model.KubeObject;
import dev.sro.core.model.ValueTrees;

/**
 * PriorityClasses, whose value and policy never change: one that is to have others is made anew. Pods keep the priority that they were
 * created with. Stateless.
 */
public final class PriorityClasses {

    static final String VERSION = "scheduling.k8s.io/v1";

    static final String KIND = "PriorityClass";

    /** What the API server stores where a class says nothing. */
    private static final String DEFAULT_POLICY = "PreemptLowerPriority";

    private PriorityClasses() {}

    /** Whether both are PriorityClasses that differ in what cannot change. */
    public static boolean isOther(KubeObject wanted, KubeObject live) {
        return wanted.ref().kind().equals(KIND)
                && wanted.ref().apiVersion().equals(VERSION)
                && (ValueTrees.number(wanted.tree(), "value", 0) != ValueTrees.number(live.tree(), "value", 0)
                        || !policy(wanted).equals(policy(live)));
    }

    private static String policy(KubeObject object) {
        String policy = ValueTrees.text(object.tree(), "preemptionPolicy");
        return policy.isEmpty() ? DEFAULT_POLICY : policy;
    }
}
