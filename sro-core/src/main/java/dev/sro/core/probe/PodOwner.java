package dev.sro.core.probe;

import dev.sro.core.model.KubeObject;

/** By what the pods of an object are found. Stateless. */
public final class PodOwner {

    private PodOwner() {}

    /** Its uid, or for those whose pods do not name it the {@link PodFacts#workload}. */
    public static String identify(KubeObject live) {
        String kind = live.ref().kind();
        return kind.equals("Deployment") || kind.equals("Pod")
                ? kind + "/" + live.ref().namespace() + "/" + live.ref().name()
                : live.uid();
    }
}
