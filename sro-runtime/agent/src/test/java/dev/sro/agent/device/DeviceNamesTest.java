package dev.sro.agent.device;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.core.dra.DraDevice;
import dev.sro.core.dra.DraGpu;
import dev.sro.core.dra.DraNode;
import dev.sro.core.dra.DraOptions;
import dev.sro.core.dra.DraPublisher;
import dev.sro.core.dra.DraServer;
import dev.sro.core.slicing.catalogue.Catalogue;
import dev.sro.core.slicing.catalogue.DeviceModel;
import dev.sro.core.slicing.catalogue.SliceProfile;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What is published is what the agent understands: names of devices are the one thing between the two. */
class DeviceNamesTest {
    private static final DraPublisher PUBLISHER = DraPublisher.of(DraOptions.of(DraServer.of("v1.36.2")));
    private static final List<PciAddress> ADDRESSES =
            List.of(PciAddress.of("0000:3b:00.0"), PciAddress.of("00010000:ff:1f.7"));

    static Collection<DeviceModel> models() {
        return Catalogue.builtin().models();
    }

    @ParameterizedTest
    @MethodSource("models")
    void aPlaceHasOneNameWhereItIsPublishedAndWhereItIsMade(DeviceModel model) {
        for (PciAddress address : ADDRESSES) {
            DraGpu gpu =
                    DraGpu.builder().pciAddress(address.toString()).model(model).build();
            DraNode node = DraNode.builder().name("n").addGpus(gpu).build();
            Set<String> names = new TreeSet<>();
            int places = 0;
            for (SliceProfile profile : model.profiles()) {
                for (int start : profile.starts()) {
                    String name = ProfileNames.device(address, profile.name(), start);
                    names.add(name);
                    places++;
                    assertThat(PUBLISHER.deviceName(gpu, profile.name(), start)).contains(name);
                    assertThat(PUBLISHER.device(node, name))
                            .contains(new DraDevice(name, address.toString(), profile.name(), start));
                }
            }
            assertThat(names).hasSize(places);
        }
    }
}
