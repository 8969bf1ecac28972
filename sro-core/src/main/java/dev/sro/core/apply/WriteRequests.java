package dev.sro.core.apply;

import dev.sro.core.model.KubeObject;
import dev.sro.core.model.RecipeAccount;
import dev.sro.core.plan.Write;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Makes the request that a write is, whatever its kind.
 *
 * @param writer who makes it; what comes of each is what to tell the {@link Observer}
 */
record WriteRequests(ClusterWriter writer) implements Write.Cases<Consumer<Observer>, WriteException> {

    /** A request by somebody's rights. */
    private interface Request<T> {
        T make(ClusterWriter chosen) throws WriteException;
    }

    private <T> T by(Optional<RecipeAccount> account, Request<T> request) throws WriteException {
        if (account.isEmpty()) {
            return request.make(writer);
        }
        try {
            return request.make(writer.as(account.get()));
        } catch (WriteException e) {
            throw RecipeRefusal.explain(account.get(), e);
        }
    }

    @Override
    public Consumer<Observer> apply(Write.Apply it) throws WriteException {
        KubeObject stored = by(
                it.account(),
                chosen -> it.create()
                        ? chosen.create(it.object())
                        : it.adopt() ? chosen.adopt(it.object()) : chosen.apply(it.object()));
        return observer -> observer.stored(stored);
    }

    @Override
    public Consumer<Observer> delete(Write.Delete it) throws WriteException {
        by(it.account(), chosen -> {
            chosen.delete(it.ref(), it.uid(), it.foreground());
            return it;
        });
        return observer -> observer.deleting(it.ref(), it.uid());
    }

    @Override
    public Consumer<Observer> labelNode(Write.LabelNode it) throws WriteException {
        var stored = writer.labelNode(it.node(), it.uid(), it.manager(), it.marks());
        return observer -> observer.stored(stored);
    }

    @Override
    public Consumer<Observer> clearNode(Write.ClearNode it) throws WriteException {
        var stored = writer.clearNode(it.node(), it.uid(), it.labels(), it.annotations());
        return observer -> observer.stored(stored);
    }

    @Override
    public Consumer<Observer> evict(Write.Evict it) throws WriteException {
        writer.evict(it.ref(), it.uid());
        return observer -> observer.deleting(it.ref(), it.uid());
    }

    @Override
    public Consumer<Observer> taintNode(Write.TaintNode it) throws WriteException {
        var stored = writer.taintNode(it.node(), it.uid(), it.change());
        return observer -> observer.stored(stored);
    }

    @Override
    public Consumer<Observer> judgeNode(Write.JudgeNode it) throws WriteException {
        var stored = writer.judgeNode(it.node(), it.uid(), it.manager(), it.verdicts());
        return observer -> observer.stored(stored);
    }

    @Override
    public Consumer<Observer> updateStatus(Write.UpdateStatus it) throws WriteException {
        var stored = writer.updateStatus(it.ref(), it.uid(), it.status());
        return observer -> observer.stored(stored);
    }

    @Override
    public Consumer<Observer> setFinalizer(Write.SetFinalizer it) throws WriteException {
        var stored = writer.setFinalizer(it.ref(), it.uid(), it.present());
        return observer -> observer.stored(stored);
    }
}
