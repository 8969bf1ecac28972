package dev.sro.runtime.plan;

import dev.sro.core.plan.Write;
import dev.sro.runtime.plan.PlanReport.Action;
import dev.sro.runtime.plan.PlanReport.Step;
import java.util.Optional;

/** What a write is to somebody who reads a plan, whatever its kind. Stateless. */
final class WriteSteps implements Write.Cases<Step, RuntimeException> {

    @Override
    public Step apply(Write.Apply it) {
        Action action = it.create() ? Action.CREATE : Action.CHANGE;
        String why = it.create() ? "" : it.why();
        // The namespace counts as a state of its own, which no recipe has.
        String state = it.ref().kind().equals("Namespace") ? "" : it.state();
        return new Step(action, it.ref(), state, it.pool(), "", why, it.object(), it.account());
    }

    @Override
    public Step delete(Write.Delete it) {
        return new Step(Action.DELETE, it.ref(), it.state(), it.pool(), "", it.why(), null, it.account());
    }

    @Override
    public Step labelNode(Write.LabelNode it) {
        String labels = it.labels().isEmpty() ? "none" : it.labels().toString();
        String annotations = it.marks().annotations().isEmpty()
                ? ""
                : "; annotations of ours: " + it.marks().annotations();
        String cordon = it.marks().cordoned() ? "; cordoned" : "";
        return change(it, "labels of ours: " + labels + annotations + cordon);
    }

    @Override
    public Step clearNode(Write.ClearNode it) {
        return change(it, it.why());
    }

    @Override
    public Step evict(Write.Evict it) {
        return new Step(Action.DELETE, it.ref(), "", "", "", "evicted: " + it.why(), null, Optional.empty());
    }

    @Override
    public Step taintNode(Write.TaintNode it) {
        return change(it, it.change().toString());
    }

    @Override
    public Step judgeNode(Write.JudgeNode it) {
        return change(it, "status");
    }

    @Override
    public Step updateStatus(Write.UpdateStatus it) {
        return change(it, "status");
    }

    @Override
    public Step setFinalizer(Write.SetFinalizer it) {
        return change(it, it.present() ? "finalizer" : "finalizer goes");
    }

    private static Step change(Write write, String why) {
        return new Step(Action.CHANGE, write.ref(), "", "", "", why, null, Optional.empty());
    }
}
