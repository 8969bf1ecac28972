package dev.sro.agent.kubelet;

import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;

/** The calls between kubelet and plugins, with their names on the wire. Stateless. */
final class Calls {
    static final String REGISTRATION = "pluginregistration.Registration";
    static final String DRA_V1 = "k8s.io.kubelet.pkg.apis.dra.v1.DRAPlugin";
    static final String DRA_V1BETA1 = "k8s.io.kubelet.pkg.apis.dra.v1beta1.DRAPlugin";

    /** As they are told at registration; kubelet takes the first that it knows: v1 since 1.34. */
    static final List<String> VERSIONS = List.of("v1.DRAPlugin", "v1beta1.DRAPlugin");

    private Calls() {}

    /** A message without fields. */
    enum Empty {
        EMPTY
    }

    private interface Write<T> {
        WireWriter of(T value);
    }

    private interface Read<T> {
        T of(WireReader reader) throws IOException;
    }

    private record Marshaller<T>(Write<T> write, Read<T> read) implements MethodDescriptor.Marshaller<T> {
        @Override
        public InputStream stream(T value) {
            return new ByteArrayInputStream(write.of(value).bytes());
        }

        @Override
        public T parse(InputStream stream) {
            try {
                return read.of(new WireReader(stream.readAllBytes()));
            } catch (IOException e) {
                throw Status.INTERNAL
                        .withDescription("unreadable message: " + e.getMessage())
                        .withCause(e)
                        .asRuntimeException();
            }
        }
    }

    private static final Marshaller<Empty> EMPTY = new Marshaller<>(empty -> new WireWriter(), reader -> {
        while (reader.next()) {
            reader.skip();
        }
        return Empty.EMPTY;
    });

    private static final Marshaller<ClaimsRequest> CLAIMS = new Marshaller<>(ClaimsRequest::write, ClaimsRequest::read);

    static final MethodDescriptor<Empty, PluginInfo> GET_INFO =
            method(REGISTRATION, "GetInfo", EMPTY, new Marshaller<>(PluginInfo::write, PluginInfo::read));

    static final MethodDescriptor<RegistrationStatus, Empty> NOTIFY = method(
            REGISTRATION,
            "NotifyRegistrationStatus",
            new Marshaller<>(RegistrationStatus::write, RegistrationStatus::read),
            EMPTY);

    static final MethodDescriptor<Empty, List<PodResources.PodDevices>> POD_RESOURCES =
            method("v1.PodResourcesLister", "List", EMPTY, new Marshaller<>(PodResources::write, PodResources::read));

    /** Kubelet's, for device plugins. */
    static final MethodDescriptor<PluginMessages.Register, Empty> REGISTER = method(
            "v1beta1.Registration",
            "Register",
            new Marshaller<>(PluginMessages.Register::write, PluginMessages.Register::read),
            EMPTY);

    private static final Marshaller<PluginMessages.Ids> IDS =
            new Marshaller<>(PluginMessages.Ids::write, PluginMessages.Ids::read);

    static final String DEVICE_PLUGIN = "v1beta1.DevicePlugin";

    static final MethodDescriptor<Empty, PluginMessages.Options> PLUGIN_OPTIONS = method(
            DEVICE_PLUGIN,
            "GetDevicePluginOptions",
            EMPTY,
            new Marshaller<>(PluginMessages.Options::write, PluginMessages.Options::read));

    static final MethodDescriptor<Empty, List<PluginDevice>> LIST_AND_WATCH = method(
            MethodDescriptor.MethodType.SERVER_STREAMING,
            DEVICE_PLUGIN,
            "ListAndWatch",
            EMPTY,
            new Marshaller<>(PluginDevice::writeAll, PluginDevice::readAll));

    static final MethodDescriptor<PluginMessages.Preferences, PluginMessages.Ids> PREFERRED = method(
            DEVICE_PLUGIN,
            "GetPreferredAllocation",
            new Marshaller<>(PluginMessages.Preferences::write, PluginMessages.Preferences::read),
            IDS);

    static final MethodDescriptor<PluginMessages.Ids, PluginMessages.Allocated> ALLOCATE = method(
            DEVICE_PLUGIN,
            "Allocate",
            IDS,
            new Marshaller<>(PluginMessages.Allocated::write, PluginMessages.Allocated::read));

    /** Its request is a plain list of ids, which the others have one level deeper. */
    static final MethodDescriptor<List<String>, Empty> PRE_START = method(
            DEVICE_PLUGIN,
            "PreStartContainer",
            new Marshaller<>(PluginMessages::writeIds, PluginMessages::readIds),
            EMPTY);

    static MethodDescriptor<ClaimsRequest, ClaimsResponse> prepare(String service) {
        return method(
                service,
                "NodePrepareResources",
                CLAIMS,
                new Marshaller<>(ClaimsResponse::writePrepared, ClaimsResponse::readPrepared));
    }

    static MethodDescriptor<ClaimsRequest, ClaimsResponse> unprepare(String service) {
        return method(
                service,
                "NodeUnprepareResources",
                CLAIMS,
                new Marshaller<>(ClaimsResponse::writeUnprepared, ClaimsResponse::readUnprepared));
    }

    private static <A, B> MethodDescriptor<A, B> method(
            String service, String name, Marshaller<A> request, Marshaller<B> response) {
        return method(MethodDescriptor.MethodType.UNARY, service, name, request, response);
    }

    private static <A, B> MethodDescriptor<A, B> method(
            MethodDescriptor.MethodType type,
            String service,
            String name,
            Marshaller<A> request,
            Marshaller<B> response) {
        return MethodDescriptor.<A, B>newBuilder(request, response)
                .setType(type)
                .setFullMethodName(MethodDescriptor.generateFullMethodName(service, name))
                .build();
    }
}
