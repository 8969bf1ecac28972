package dev.sro.core.plan;

import dev.sro.core.load.WorkerPods;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.MetadataKeys;
import dev.sro.core.model.ObjectRef;
import dev.sro.core.model.ValueTrees;
import dev.sro.core.release.ReleaseRecord;
import java.util.Set;

/** What an object that carries a special resource's label says of who takes care of it. Stateless. */
public final class OwnedObjects {

    /** Kinds of ours that have operands. */
    private static final Set<String> OURS = Set.of("SpecialResource", "SpecialResourceModule");

    /** Kinds that control pods: they stay until their pods are gone, so that drivers are unloaded in order. */
    private static final Set<String> WORKLOADS =
            Set.of("DaemonSet", "Deployment", "StatefulSet", "ReplicaSet", "Job", "BuildConfig");

    private OwnedObjects() {}

    /** Whether some other object made it and takes it away: the pods of a DaemonSet carry our label too. */
    public static boolean isControlledElsewhere(KubeObject live) {
        return WorkerPods.isOne(live)
                || live.maps("metadata", "ownerReferences").stream()
                        .anyMatch(owner -> Boolean.TRUE.equals(owner.get("controller"))
                                && !OURS.contains(String.valueOf(owner.get("kind"))));
    }

    /** Whether it stays when nobody wants it any more. */
    public static boolean isKept(KubeObject live) {
        return "true".equals(live.annotation(MetadataKeys.KEEP).orElse(""));
    }

    /** Whether it controls pods. */
    public static boolean isWorkload(ObjectRef ref) {
        return WORKLOADS.contains(ref.kind());
    }

    /** Whether a special resource of the same name with another uid left it; garbage collection takes it away. */
    public static boolean isFormer(KubeObject live, String uid) {
        return live.maps("metadata", "ownerReferences").stream()
                .anyMatch(owner ->
                        "SpecialResource".equals(owner.get("kind")) && !uid.equals(ValueTrees.text(owner, "uid")));
    }

    /** Whether a hook made it. */
    public static boolean isHook(KubeObject live) {
        return live.annotation(MetadataKeys.HOOK).isPresent();
    }

    /** Whether it goes with its release, not with the objects of states. */
    public static boolean isOfRelease(KubeObject live) {
        return isHook(live) || ReleaseRecord.isOne(live);
    }
}
