package dev.sro.core.placement;

import dev.sro.core.das.AllocationClaim;
import dev.sro.core.das.ClaimPod;
import dev.sro.core.das.ClaimState;
import dev.sro.core.das.NodeAccelerator;
import dev.sro.core.das.NodeAccelerator.AcceleratorGpu;
import dev.sro.core.das.NodeAccelerator.AcceleratorProfile;
import dev.sro.core.slicing.SliceDevice;
import dev.sro.core.slicing.catalogue.Catalogue;
import dev.sro.core.slicing.catalogue.DeviceModel;
import dev.sro.core.slicing.catalogue.SliceProfile;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Places as the objects of DAS have them, and back. Stateless. */
public final class DasPlacements {
    private DasPlacements() {}

    /** The place of a claim. */
    public static PlacedSlice slice(AllocationClaim claim) {
        return new PlacedSlice(
                claim.namespace(),
                claim.name(),
                claim.pod().name(),
                claim.pod().uid(),
                claim.container(),
                claim.node(),
                claim.gpu(),
                claim.profile(),
                claim.start(),
                claim.size());
    }

    /** The claim of a place, to be created before the pod is bound. */
    public static AllocationClaim promise(PlacedSlice slice) {
        return new AllocationClaim(
                slice.namespace(),
                slice.claim(),
                new ClaimPod(slice.namespace(), slice.pod(), slice.uid()),
                slice.container(),
                slice.node(),
                slice.gpu(),
                slice.profile(),
                slice.start(),
                slice.size(),
                ClaimState.CREATED,
                false,
                List.of());
    }

    /**
     * GPUs of a node, by the model that the object names, else by the product. Of a model, only profiles and starts that the node lists are had.
     *
     * @param faults told what of it cannot be used, for people
     */
    public static List<SliceDevice> gpus(NodeAccelerator node, Catalogue catalogue, Consumer<String> faults) {
        List<SliceDevice> gpus = new ArrayList<>();
        for (AcceleratorGpu gpu : node.gpus()) {
            Optional<DeviceModel> known = gpu.model().isEmpty()
                    ? catalogue.find(gpu.product())
                    : catalogue.find(gpu.model()).or(() -> catalogue.find(gpu.product()));
            Optional<DeviceModel> offered = known.flatMap(model -> offered(model, gpu));
            if (offered.isEmpty()) {
                faults.accept("NodeAccelerator " + node.node() + ": GPU " + gpu.uuid()
                        + (known.isEmpty()
                                ? ": no device model is called \"" + gpu.product() + "\""
                                : ": none of the profiles that it lists is one of "
                                        + known.get().key()));
                continue;
            }
            gpus.add(SliceDevice.builder()
                    .id(gpu.uuid())
                    .model(offered.get())
                    .node(node.node())
                    .cordoned(!gpu.closed().isEmpty())
                    .build());
        }
        return gpus;
    }

    private static Optional<DeviceModel> offered(DeviceModel model, AcceleratorGpu gpu) {
        List<SliceProfile> profiles = new ArrayList<>();
        for (SliceProfile profile : model.profiles()) {
            AcceleratorProfile listed = gpu.profiles().get(profile.name());
            for (String alias : profile.aliases()) {
                listed = listed == null ? gpu.profiles().get(alias) : listed;
            }
            List<Integer> starts = listed == null
                    ? List.of()
                    : profile.starts().stream()
                            .filter(listed.starts()::contains)
                            .toList();
            if (!starts.isEmpty()) {
                profiles.add(
                        starts.equals(profile.starts())
                                ? profile
                                : SliceProfile.builder()
                                        .from(profile)
                                        .starts(starts)
                                        .build());
            }
        }
        if (profiles.equals(model.profiles())) {
            return Optional.of(model);
        }
        return profiles.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        DeviceModel.builder().from(model).profiles(profiles).build());
    }
}
