package dev.sro.core.apply;

import dev.sro.core.model.KubeObject;
import dev.sro.core.plan.Dependency;
import dev.sro.core.plan.Write;
import java.time.Clock;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes the writes of a plan, in order. Thread-safe. */
public final class Applier {

    private static final Logger LOG = LoggerFactory.getLogger(Applier.class);

    private final ClusterWriter writer;
    private final Observer observer;
    private final Clock clock;

    /** Writes through the writer and tells the observer. */
    public Applier(ClusterWriter writer, Observer observer, Clock clock) {
        this.writer = writer;
        this.observer = observer;
        this.clock = clock;
    }

    /**
     * What became of the writes.
     *
     * @param made how many succeeded
     * @param failed how many were refused
     * @param stopped true if the rest was not tried: the API server is away, or what must come first failed
     */
    public record Result(int made, int failed, boolean stopped) {}

    /** Makes the writes. A refused one is remembered and holds up the others only if they build on it. */
    public Result apply(List<Write> writes, Failures failures) {
        int made = 0;
        int failed = 0;
        for (Write write : writes) {
            try {
                make(write);
                failures.succeeded(write.ref());
                made++;
            } catch (WriteException e) {
                LOG.atDebug().addKeyValue("object", write.ref()).log("write refused: {}", e.getMessage());
                failures.failed(write.ref(), e, clock.instant());
                failed += e.kind() == WriteException.Kind.BLOCKED ? 0 : 1;
                if (stops(write, e)) {
                    return new Result(made, failed, true);
                }
            }
        }
        return new Result(made, failed, false);
    }

    /** Nothing is created without the finalizer or before its kind is on record; a server that is away stays away. */
    private static boolean stops(Write write, WriteException e) {
        // Without the finalizer nobody would know any more that a dependency was to go as well.
        boolean lastWish =
                write instanceof Write.Delete delete && delete.state().equals(Dependency.STATE);
        return e.kind() == WriteException.Kind.UNAVAILABLE
                || e.kind() == WriteException.Kind.THROTTLED
                || lastWish
                || write instanceof Write.SetFinalizer
                || write.ref().kind().equals("Namespace")
                || write instanceof Write.UpdateStatus;
    }

    private void make(Write write) throws WriteException {
        if (write instanceof Write.Apply apply) {
            KubeObject stored = apply.create()
                    ? writer.create(apply.object())
                    : apply.adopt() ? writer.adopt(apply.object()) : writer.apply(apply.object());
            observer.stored(stored);
        } else if (write instanceof Write.Delete delete) {
            writer.delete(delete.ref(), delete.uid(), delete.foreground());
            observer.deleting(delete.ref(), delete.uid());
        } else if (write instanceof Write.LabelNode label) {
            String version = writer.labelNode(label.node(), label.uid(), label.manager(), label.marks());
            observer.labelled(label.node(), label.manager(), label.marks(), version);
        } else if (write instanceof Write.ClearNode clear) {
            String version = writer.clearNode(clear.node(), clear.uid(), clear.labels(), clear.annotations());
            observer.cleared(clear.node(), clear.labels(), clear.annotations(), version);
        } else if (write instanceof Write.Evict evict) {
            writer.evict(evict.ref(), evict.uid());
            observer.deleting(evict.ref(), evict.uid());
        } else if (write instanceof Write.TaintNode taint) {
            observer.tainted(taint.node(), writer.taintNode(taint.node(), taint.uid(), taint.taint(), taint.present()));
        } else if (write instanceof Write.UpdateStatus update) {
            observer.stored(writer.updateStatus(update.ref(), update.uid(), update.status()));
        } else if (write instanceof Write.SetFinalizer finalizer) {
            observer.stored(writer.setFinalizer(finalizer.ref(), finalizer.uid(), finalizer.present()));
        }
    }
}
