package dev.sro.core.slicing.render;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sro.core.slicing.SliceAllocator;
import dev.sro.core.slicing.SliceClaim;
import dev.sro.core.slicing.SliceDevice;
import dev.sro.core.slicing.SliceSnapshot;
import dev.sro.core.slicing.catalogue.Catalogue;
import dev.sro.core.slicing.catalogue.DeviceModel;
import dev.sro.core.slicing.geometry.Geometry;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;

class SlicePicturesTest {
    private static final DeviceModel A100 = Catalogue.builtin().model("A100-40GB");
    private static final DeviceModel RTX = Catalogue.builtin().model("RTXPRO6000-96GB");
    private static final DeviceModel A30 = Catalogue.builtin().model("A30-24GB");
    private static final SlicePictures PICTURES = SlicePictures.create();

    @Test
    void drawsAFleetAsText() throws IOException {
        assertThat(PICTURES.text(fleet())).isEqualTo(golden("fleet.txt"));
    }

    @Test
    void drawsAFleetAsSvg() throws IOException {
        assertThat(PICTURES.svg("Fleet of four", fleet())).isEqualTo(golden("fleet.svg"));
    }

    @Test
    void countsDevicesThatLookTheSameInALargeFleet() throws IOException {
        SliceAllocator allocator = SliceAllocator.create();
        for (int i = 0; i < 100; i++) {
            allocator.addDevice(SliceDevice.of("gpu-" + i, A100, "node-" + i / 8));
            if (i < 70) {
                allocator.adopt(claim("big-" + i, "gpu-" + i, "3g.20gb", 4).build());
            }
        }
        allocator.cordon("gpu-99", true);
        assertThat(PICTURES.text(allocator.snapshot())).isEqualTo(golden("large-fleet.txt"));
        assertThat(PICTURES.mostDevices(100).text(allocator.snapshot()).lines().filter(line -> line.contains("A100")))
                .hasSize(100);
    }

    @Test
    void svgIsWellFormedWhateverNamesSay() throws Exception {
        SliceAllocator allocator = SliceAllocator.create();
        allocator.addDevice(SliceDevice.of("<gpu> & \"co\"\u0001", A100, ""));
        allocator.adopt(claim("a]]>\uD83D\uDE00<b>", "<gpu> & \"co\"\u0001", "7g.40gb", 0)
                .build());
        String svg = PICTURES.svg("a < b", allocator.snapshot());
        Document document = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new ByteArrayInputStream(svg.getBytes(StandardCharsets.UTF_8)));
        assertThat(document.getDocumentElement().getAttribute("role")).isEqualTo("img");
        assertThat(document.getElementsByTagName("title").item(0).getTextContent())
                .isEqualTo("a < b");
        assertThat(document.getElementsByTagName("desc").item(0).getTextContent())
                .isEqualTo("1 device, 1 instance, 8 of 8 units taken");
    }

    @Test
    void labelsAreTheCallers() {
        assertThat(PICTURES.label(claim -> "L" + claim.start()).text(fleet()))
                .contains("| L4 3g.20gb ")
                .doesNotContain("train");
    }

    // The count of what still fits is the most instances of that profile in any layout that contains the present one.
    @Test
    void saysTheMostThatStillFitsOfEachProfile() {
        for (DeviceModel model : List.of(A30, RTX)) {
            Geometry geometry = Geometry.of(model);
            for (int layout = 0; layout < geometry.layouts(); layout += 3) {
                Map<String, Integer> fits =
                        DeviceView.ofLayout("d", geometry, layout).fits();
                for (int profile = 0; profile < geometry.profiles(); profile++) {
                    int most = 0;
                    for (int other = 0; other < geometry.layouts(); other++) {
                        long added = geometry.placementsOf(other) & ~geometry.placementsOf(layout);
                        if ((geometry.placementsOf(other) & geometry.placementsOf(layout))
                                        == geometry.placementsOf(layout)
                                && onlyOf(geometry, added, profile)) {
                            most = Math.max(most, Long.bitCount(added));
                        }
                    }
                    assertThat(fits.getOrDefault(geometry.profile(profile).name(), 0))
                            .isEqualTo(most);
                }
            }
        }
    }

    @Test
    void unitsThatNobodyCanHaveAreCrossed() {
        DeviceModel rest = A30.without(0b0011, Map.of()).orElseThrow();
        String text = PICTURES.text(List.of(DeviceView.ofLayout("gpu", Geometry.of(rest), 0)));
        assertThat(text.lines().skip(1).findFirst().orElseThrow().chars().filter(c -> c == 'x'))
                .hasSize(2);
        assertThat(text).contains("room for 2 x 1g.6gb or 1 x 1g.6gb+me or 1 x 2g.12gb");
    }

    @Test
    void anEmptyFleetIsAPictureToo() {
        SliceSnapshot nothing = new SliceSnapshot(List.of(), List.of());
        assertThat(PICTURES.text(nothing)).isEqualTo("0 devices, 0 instances, 0 of 0 units taken\n");
        assertThat(PICTURES.svg("none", nothing)).endsWith("</svg>\n");
        assertThatThrownBy(() -> PICTURES.mostDevices(-1)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void manyDevicesWrapIntoColumns() {
        List<DeviceView> devices = Collections.nCopies(33, DeviceView.ofLayout("d", Geometry.of(A30), 0));
        assertThat(PICTURES.svg("wide", devices)).contains("viewBox=\"0 0 2256 1100\"");
    }

    private static boolean onlyOf(Geometry geometry, long placements, int profile) {
        for (long rest = placements; rest != 0; rest &= rest - 1) {
            if (geometry.profileOf(Long.numberOfTrailingZeros(rest)) != profile) {
                return false;
            }
        }
        return true;
    }

    private static SliceSnapshot fleet() {
        SliceAllocator allocator = SliceAllocator.create();
        allocator.addDevice(SliceDevice.of("gpu-0", A100, "node-1"));
        allocator.addDevice(SliceDevice.of("gpu-1", A100, "node-1"));
        allocator.addDevice(SliceDevice.of("gpu-2", RTX, "node-2"));
        allocator.addDevice(SliceDevice.of("gpu-3", A30, ""));
        allocator.adopt(claim("train", "gpu-0", "3g.20gb", 4).build());
        allocator.adopt(claim("notebook-of-somebody", "gpu-0", "1g.5gb+me", 0).build());
        allocator.adopt(claim("web", "gpu-0", "2g.10gb", 2).build());
        allocator.adopt(claim("other", "gpu-1", "1g.5gb", 3).foreign(true).build());
        allocator.adopt(claim("render", "gpu-2", "1g.24gb+gfx", 9).build());
        allocator.adopt(claim("video", "gpu-2", "2g.48gb", 0).build());
        allocator.adopt(claim("all", "gpu-3", "4g.24gb", 0).build());
        allocator.cordon("gpu-1", true);
        return allocator.snapshot();
    }

    private static SliceClaim.Builder claim(String id, String device, String profile, int start) {
        return SliceClaim.builder().id(id).device(device).profile(profile).start(start);
    }

    private static String golden(String name) throws IOException {
        try (InputStream in = Objects.requireNonNull(
                SlicePicturesTest.class.getResourceAsStream("/dev/sro/core/slicing/render/" + name), name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
