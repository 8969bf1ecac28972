package dev.sro.testkit.server;

import java.util.function.Supplier;

/** Carries out writes, and calls the webhooks that have to say something about them without the store's lock. */
final class ReviewedWrites {
    /** A guard against objects that look different each time, so that each answer comes too late. */
    private static final int MAX_ATTEMPTS = 1000;

    private final Store store;
    private final Ids ids;
    private final WebhookAdmission webhooks;
    private final MutatingPolicies mutations;
    private final PolicyAdmission policies;
    private final WebhookClient client;

    ReviewedWrites(
            Store store,
            Ids ids,
            MutatingPolicies mutations,
            WebhookAdmission webhooks,
            PolicyAdmission policies,
            WebhookClient client) {
        this.store = store;
        this.ids = ids;
        this.mutations = mutations;
        this.webhooks = webhooks;
        this.policies = policies;
        this.client = client;
    }

    /**
     * Does a write with the lock held.
     *
     * @param work is done over again after each answer of a webhook, and must change nothing before it asks
     */
    <T> T run(WriteCall call, Supplier<T> work) {
        if (!store.locked(() -> webhooks.any() || policies.any() || mutations.any())) {
            return store.locked(work);
        }
        Reviews reviews = new Reviews(call);
        call.reviews = reviews;
        for (int i = 0; i < MAX_ATTEMPTS; i++) {
            try {
                reviews.restart(call);
                return store.locked(() -> ids.replaying(reviews.tape, work));
            } catch (PendingReview pending) {
                store.unlocked(() -> reviews.answered(pending.key(), client.call(pending)));
            }
        }
        throw Errors.internalError("webhooks are asked about an ever different object");
    }
}
