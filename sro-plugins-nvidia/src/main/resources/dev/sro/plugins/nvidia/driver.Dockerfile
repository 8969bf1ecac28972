# The published driver container with modules for one kernel in it: when it starts, it finds them and compiles nothing.
ARG BASE_IMAGE
FROM ${BASE_IMAGE}
ARG KERNEL_FULL_VERSION
ARG KERNEL_MODULE_TYPE
ENV KERNEL_MODULE_TYPE=${KERNEL_MODULE_TYPE}
RUN nvidia-driver update --kernel "${KERNEL_FULL_VERSION}"
