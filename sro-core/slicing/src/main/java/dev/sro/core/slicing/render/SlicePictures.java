package dev.sro.core.slicing.render;

import dev.sro.core.slicing.SliceClaim;
import dev.sro.core.slicing.SliceDevice;
import dev.sro.core.slicing.SliceSnapshot;
import dev.sro.core.slicing.catalogue.DeviceModel;
import dev.sro.core.slicing.geometry.Geometry;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Text and SVG pictures of devices. Equal input gives equal output, byte for byte. Immutable and thread-safe as far as the
 * label function is.
 */
public final class SlicePictures {
    /** Above so many devices, a picture of a fleet counts devices that look the same. */
    public static final int DEFAULT_DEVICES = 64;

    private final int mostDevices;
    private final Function<SliceClaim, String> label;

    private SlicePictures(int mostDevices, Function<SliceClaim, String> label) {
        this.mostDevices = mostDevices;
        this.label = label;
    }

    /** Labels are the names of claims, unless they only repeat the place; up to {@link #DEFAULT_DEVICES} devices are shown one by one. */
    public static SlicePictures create() {
        return new SlicePictures(DEFAULT_DEVICES, SlicePictures::name);
    }

    // What fleet files call an instance without a claim.
    private static String name(SliceClaim claim) {
        String place = claim.device() + "/" + claim.profile() + "@" + claim.start();
        return claim.id().equals(place) ? "" : claim.id();
    }

    /** With other labels. */
    public SlicePictures label(Function<SliceClaim, String> other) {
        return new SlicePictures(mostDevices, other);
    }

    /** With another number of devices up to which each is shown; at least 0. */
    public SlicePictures mostDevices(int most) {
        if (most < 0) {
            throw new IllegalArgumentException("mostDevices: " + most + " is negative");
        }
        return new SlicePictures(most, label);
    }

    /** Devices and claims as text, 80 to 120 columns for devices of up to 12 units. */
    public String text(SliceSnapshot fleet) {
        return text(views(fleet));
    }

    /** Devices as text. */
    public String text(List<DeviceView> devices) {
        StringBuilder text = new StringBuilder();
        shown(devices).forEach(device -> TextPicture.append(text, device));
        return text.append(Summary.describe(devices)).append('\n').toString();
    }

    /** Devices and claims as an SVG document with a title and a description. */
    public String svg(String title, SliceSnapshot fleet) {
        return svg(title, views(fleet));
    }

    /** Devices as an SVG document with a title and a description. */
    public String svg(String title, List<DeviceView> devices) {
        return SvgPicture.draw(title, Summary.describe(devices), shown(devices));
    }

    /** Views of all devices, in the order of the fleet. */
    public List<DeviceView> views(SliceSnapshot fleet) {
        Map<String, List<SliceClaim>> claims = new HashMap<>();
        for (SliceClaim claim : fleet.claims()) {
            claims.computeIfAbsent(claim.device(), device -> new ArrayList<>()).add(claim);
        }
        Map<DeviceModel, Geometry> geometries = new HashMap<>();
        List<DeviceView> views = new ArrayList<>();
        for (SliceDevice device : fleet.devices()) {
            Geometry geometry = geometries.computeIfAbsent(device.model(), Geometry::of);
            List<DeviceView.Instance> instances = new ArrayList<>();
            for (SliceClaim claim : claims.getOrDefault(device.id(), List.of())) {
                int placement = geometry.placement(device.model().indexOf(claim.profile()), claim.start());
                instances.add(new DeviceView.Instance(placement, label.apply(claim), claim.foreign()));
            }
            views.add(new DeviceView(device.id(), 1, geometry, device.node(), device.cordoned(), instances));
        }
        return views;
    }

    private List<DeviceView> shown(List<DeviceView> devices) {
        if (devices.size() <= mostDevices) {
            return devices;
        }
        Map<Object, List<DeviceView>> alike = new LinkedHashMap<>();
        devices.forEach(device -> alike.computeIfAbsent(device.looks(), looks -> new ArrayList<>())
                .add(device));
        return alike.values().stream()
                .sorted(Comparator.comparingInt((List<DeviceView> group) -> -group.size()))
                .map(group -> many(group.size(), group.get(0)))
                .toList();
    }

    private static DeviceView many(int count, DeviceView one) {
        return new DeviceView(
                count + " x",
                count,
                one.geometry(),
                "",
                one.cordoned(),
                one.instances().stream()
                        .map(instance -> new DeviceView.Instance(instance.placement(), "", instance.foreign()))
                        .toList());
    }
}
