package dev.sro.agent.slice;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.locks.ReentrantLock;

/** One look at everything. A claim that somebody works on is left to the next look. Not thread-safe. */
final class Reconciliation {
    private final SliceKeeper keeper;
    private final ClaimSource claims;
    private final List<String> repaired = new ArrayList<>();
    private final List<String> left = new ArrayList<>();

    Reconciliation(SliceKeeper keeper, ClaimSource claims) {
        this.keeper = keeper;
        this.claims = claims;
    }

    RepairReport run() {
        keeper.readGpus().ifPresent(left::add);
        Set<String> uids = new LinkedHashSet<>();
        keeper.checkpoint().all().forEach(holding -> uids.add(holding.claim().uid()));
        uids.forEach(this::claim);
        orphans();
        return new RepairReport(repaired, left);
    }

    private void claim(String uid) {
        ReentrantLock lock = keeper.claimLocks().lock(uid);
        if (!lock.tryLock()) {
            return;
        }
        try {
            List<Holding> holdings = keeper.checkpoint().of(uid);
            if (holdings.stream().anyMatch(Holding::keep)
                    && gone(holdings.get(0).claim())) {
                keeper.unprepare(uid);
                keeper.checkpoint().of(uid).forEach(this::stuck);
                return;
            }
            for (Holding holding : holdings) {
                look(holding);
            }
            specification(uid);
        } catch (SliceException e) {
            left.add(String.valueOf(e.getMessage()));
        } catch (IOException e) {
            left.add("specification of claim " + uid + ": " + e.getMessage());
        } finally {
            lock.unlock();
        }
    }

    private boolean gone(ClaimRef claim) {
        boolean gone = claims.standing(claim) == ClaimSource.Standing.GONE;
        if (gone) {
            repaired.add("claim " + claim + " (" + claim.uid() + ") is gone; its slices were taken back");
        }
        return gone;
    }

    private void look(Holding holding) throws SliceException {
        if (holding.keep()) {
            try {
                keeper.restore(holding).ifPresent(repaired::add);
            } catch (SliceException e) {
                left.add(holding.place() + " of claim " + holding.claim() + " is gone and cannot be made again: "
                        + e.getMessage());
            }
            return;
        }
        keeper.release(holding);
        if (keeper.checkpoint().find(holding.key()).isPresent()) {
            stuck(holding);
        } else {
            repaired.add(holding.place() + ", begun or given back by claim " + holding.claim() + ", was taken apart");
        }
    }

    private void stuck(Holding holding) {
        left.add(holding.place() + ", given back by claim " + holding.claim() + ", cannot be destroyed: "
                + keeper.trouble(holding).orElse("it is being worked on"));
    }

    /** As long as all of a claim is there; what is not whole is not offered. */
    private void specification(String uid) throws IOException {
        List<Holding> holdings = keeper.checkpoint().of(uid);
        if (!holdings.isEmpty()
                && holdings.stream().allMatch(holding -> holding.keep() && holding.stage() == Stage.READY)
                && keeper.files().write(holdings.get(0).claim(), holdings)) {
            repaired.add("the specification of claim " + holdings.get(0).claim()
                    + " was not as it should be and was written");
        }
    }

    private void orphans() {
        try {
            for (String uid : new TreeSet<>(keeper.files().claims())) {
                ReentrantLock lock = keeper.claimLocks().lock(uid);
                if (lock.tryLock()) {
                    try {
                        if (keeper.checkpoint().of(uid).stream().noneMatch(Holding::keep)) {
                            keeper.files().remove(uid);
                            repaired.add("the specification of claim " + uid + ", which has nothing here, was removed");
                        }
                    } finally {
                        lock.unlock();
                    }
                }
            }
        } catch (IOException e) {
            left.add("specifications cannot be listed or removed: " + e.getMessage());
        }
    }
}
