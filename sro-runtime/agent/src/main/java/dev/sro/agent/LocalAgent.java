package dev.sro.agent;

import dev.sro.agent.cdi.ClaimSpecs;
import dev.sro.agent.cdi.EmulatedEdits;
import dev.sro.agent.claims.ApiClaims;
import dev.sro.agent.claims.ApiServer;
import dev.sro.agent.device.DeviceException;
import dev.sro.agent.device.DriverProfile;
import dev.sro.agent.device.Gpu;
import dev.sro.agent.device.ProfileNames;
import dev.sro.agent.emulated.EmulatedDevices;
import dev.sro.agent.file.LocalDisk;
import dev.sro.agent.kubelet.Allocation;
import dev.sro.agent.node.ApiNode;
import dev.sro.agent.node.PcieRoots;
import dev.sro.agent.publish.ApiSlices;
import dev.sro.agent.publish.GpuCare;
import dev.sro.agent.publish.NodeReader;
import dev.sro.agent.publish.SlicePublisher;
import dev.sro.agent.slice.Checkpoint;
import dev.sro.agent.slice.ClaimRef;
import dev.sro.agent.slice.SliceException;
import dev.sro.agent.slice.SliceKeeper;
import dev.sro.agent.slice.WantedSlice;
import dev.sro.core.dra.DraOptions;
import dev.sro.core.dra.PublishRule;
import dev.sro.core.slicing.catalogue.Catalogue;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The agent without sockets, threads and a clock, on emulated devices: whoever calls it is kubelet, and says what time it is. For demonstrations on
 * a cluster in one process; the devices outlive it, as those of hardware do. Not thread-safe.
 */
public final class LocalAgent {
    private final SliceKeeper keeper;
    private final ApiClaims claims;
    private final SlicePublisher publisher;

    private LocalAgent(SliceKeeper keeper, ApiClaims claims, SlicePublisher publisher) {
        this.keeper = keeper;
        this.claims = claims;
        this.publisher = publisher;
    }

    /**
     * Starts it: what is left of earlier lives is put right.
     *
     * @param boot id of this boot of the node
     * @param directory where checkpoint and specifications go
     * @param log takes a sentence at a time
     * @throws IOException if files cannot be had
     */
    public static LocalAgent start(
            String node, String boot, URI api, Path directory, EmulatedDevices devices, Consumer<String> log)
            throws IOException {
        return start(node, boot, ApiServer.at(api, Optional.empty(), Optional.empty()), directory, devices, log);
    }

    /**
     * As the other one, by an API server that wants to know who asks.
     *
     * @throws IOException if files cannot be had
     */
    public static LocalAgent start(
            String node, String boot, ApiServer server, Path directory, EmulatedDevices devices, Consumer<String> log)
            throws IOException {
        Checkpoint checkpoint = Checkpoint.open(new LocalDisk(), directory.resolve("checkpoint"), boot);
        SliceKeeper keeper = new SliceKeeper(
                devices, checkpoint, new ClaimSpecs(new LocalDisk(), directory.resolve("cdi"), new EmulatedEdits()));
        ApiClaims claims = new ApiClaims(server, DraOptions.DRIVER);
        keeper.reconcile(claims).repaired().forEach(text -> log.accept("repaired: " + text));
        ApiNode apiNode = new ApiNode(server, node);
        SlicePublisher publisher = new SlicePublisher(
                DraOptions.DRIVER,
                new ApiSlices(server, node, DraOptions.DRIVER),
                new NodeReader(node, devices, keeper, Catalogue.builtin(), PcieRoots.none()),
                apiNode::read,
                GpuCare.NONE,
                PublishRule.standard(),
                log);
        return new LocalAgent(keeper, claims, publisher);
    }

    /**
     * Publishes what is different by now.
     *
     * @throws IOException if the API server cannot be asked or refuses
     * @throws DeviceException if the devices cannot be read
     */
    public void publish(Instant now) throws IOException, DeviceException {
        Optional<Instant> unused = publish(now, false);
    }

    /**
     * Publishes what is to be written by now.
     *
     * @param look whether this is the look at everything that comes every few minutes
     * @return when to come again, if nothing is prepared or given back before; empty for the next look
     * @throws IOException if the API server cannot be asked or refuses
     * @throws DeviceException if the devices cannot be read
     */
    public Optional<Instant> publish(Instant now, boolean look) throws IOException, DeviceException {
        return publisher.publish(now, look);
    }

    /**
     * Makes the slices of a claim.
     *
     * @throws IOException if the claim cannot be read
     * @throws SliceException if one cannot be made
     */
    public void prepare(ClaimRef claim) throws IOException, SliceException {
        List<WantedSlice> wanted = new ArrayList<>();
        for (Allocation allocation : claims.allocations(claim)) {
            wanted.add(wanted(allocation.device())
                    .orElseThrow(() -> new IOException("device " + allocation.device() + ": no such slice here")));
        }
        keeper.prepare(claim, wanted);
    }

    /**
     * Takes the slices of a claim away.
     *
     * @param uid of the claim
     * @throws SliceException if one cannot be destroyed
     */
    public void unprepare(String uid) throws SliceException {
        keeper.unprepare(uid);
    }

    private Optional<WantedSlice> wanted(String device) {
        for (Gpu gpu : keeper.gpus()) {
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
}
