package dev.sro.agent.kubelet;

import dev.sro.agent.cdi.ClaimSpecs;
import dev.sro.agent.device.DriverProfile;
import dev.sro.agent.device.Gpu;
import dev.sro.agent.device.ProfileNames;
import dev.sro.agent.slice.ClaimRef;
import dev.sro.agent.slice.Holding;
import dev.sro.agent.slice.SliceException;
import dev.sro.agent.slice.SliceKeeper;
import dev.sro.agent.slice.WantedSlice;
import io.grpc.Context;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.BiFunction;

/** Answers for the claims of a pod, side by side: one that fails does not keep the others. Thread-safe. */
final class ClaimService {
    private final SliceKeeper keeper;
    private final ClaimLookup lookup;
    private final Executor executor;
    private final PluginListener listener;

    ClaimService(SliceKeeper keeper, ClaimLookup lookup, Executor executor, PluginListener listener) {
        this.keeper = keeper;
        this.lookup = lookup;
        this.executor = executor;
        this.listener = listener;
    }

    ClaimsResponse prepare(ClaimsRequest request) {
        return each(request, this::prepare);
    }

    ClaimsResponse unprepare(ClaimsRequest request) {
        return each(request, this::unprepare);
    }

    /** A call of kubelet: it may give up waiting for the answer, and ask again. */
    private record Call(Context context) {
        static final String GIVEN_UP = "kubelet did not wait for the answer";

        boolean waits() {
            return !context.isCancelled();
        }
    }

    private ClaimsResponse each(ClaimsRequest request, BiFunction<ClaimRef, Call, ClaimResult> what) {
        Call call = new Call(Context.current());
        Map<String, CompletableFuture<ClaimResult>> running = new LinkedHashMap<>();
        for (ClaimRef claim : request.claims()) {
            running.computeIfAbsent(
                    claim.uid(),
                    uid -> CompletableFuture.supplyAsync(() -> what.apply(claim, call), executor)
                            .exceptionally(e -> ClaimResult.failed("claim " + claim + ": " + e)));
        }
        Map<String, ClaimResult> results = new LinkedHashMap<>();
        running.forEach((uid, result) -> results.put(uid, result.join()));
        listener.claimsChanged();
        return new ClaimsResponse(results);
    }

    private ClaimResult prepare(ClaimRef claim, Call call) {
        try {
            List<Allocation> allocations = new ArrayList<>();
            List<Holding> slices = keeper.prepare(claim, () -> {
                if (!call.waits()) {
                    throw new IOException(Call.GIVEN_UP);
                }
                allocations.addAll(lookup.allocations(claim));
                return wanted(allocations);
            });
            List<PreparedDevice> devices = new ArrayList<>();
            for (Holding slice : slices) {
                devices.add(prepared(slice, allocations));
            }
            return new ClaimResult(devices, "");
        } catch (SliceException e) {
            listener.refused(e.reason());
            return ClaimResult.failed(String.valueOf(e.getMessage()));
        } catch (IOException e) {
            return ClaimResult.failed(String.valueOf(e.getMessage()));
        }
    }

    private static PreparedDevice prepared(Holding slice, List<Allocation> allocations) {
        Set<String> requests = new LinkedHashSet<>();
        String pool = "";
        for (Allocation allocation : allocations) {
            if (allocation.device().equals(slice.device())) {
                requests.add(allocation.mainRequest());
                pool = allocation.pool();
            }
        }
        return new PreparedDevice(List.copyOf(requests), pool, slice.device(), List.of(ClaimSpecs.id(slice)));
    }

    private List<WantedSlice> wanted(List<Allocation> allocations) throws IOException {
        Map<String, WantedSlice> wanted = new LinkedHashMap<>();
        for (Allocation allocation : allocations) {
            wanted.put(allocation.device(), wanted(allocation.device()));
        }
        return List.copyOf(wanted.values());
    }

    private WantedSlice wanted(String device) throws IOException {
        return find(device)
                // It may have come, or be in another mode, since the GPUs were read.
                .or(() -> keeper.readGpus().isEmpty() ? find(device) : Optional.empty())
                .orElseThrow(() -> new IOException("device " + device + ": this node has no such slice; its GPUs are "
                        + keeper.gpus().stream()
                                .map(gpu -> gpu.address().toString())
                                .toList()));
    }

    private Optional<WantedSlice> find(String device) {
        for (Gpu gpu : keeper.gpus()) {
            if (ProfileNames.device(gpu.address()).equals(device)) {
                return Optional.of(WantedSlice.whole(device, gpu.address()));
            }
            for (DriverProfile profile : gpu.profiles()) {
                for (int start : profile.starts()) {
                    if (ProfileNames.device(gpu.address(), profile.name(), start)
                            .equals(device)) {
                        return Optional.of(new WantedSlice(device, gpu.address(), profile.name(), start));
                    }
                }
            }
        }
        return Optional.empty();
    }

    private ClaimResult unprepare(ClaimRef claim, Call call) {
        try {
            boolean done = keeper.unprepare(claim.uid(), call::waits);
            return done ? new ClaimResult(List.of(), "") : ClaimResult.failed(Call.GIVEN_UP);
        } catch (SliceException e) {
            return ClaimResult.failed(String.valueOf(e.getMessage()));
        }
    }
}
