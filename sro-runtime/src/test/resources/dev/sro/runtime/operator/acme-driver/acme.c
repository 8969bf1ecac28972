// SPDX-License-Identifier: GPL-2.0
// A device without hardware: it asks for firmware, and says its parameter to whoever reads /dev/acme.
#include <linux/firmware.h>
#include <linux/fs.h>
#include <linux/kernel.h>
#include <linux/miscdevice.h>
#include <linux/module.h>

MODULE_DESCRIPTION("A device without hardware");
MODULE_LICENSE("GPL");
MODULE_FIRMWARE("acme/acme.bin");

int acme_say(char *to, size_t length, unsigned int queues);

static unsigned int queues = 1;
module_param(queues, uint, 0444);

static ssize_t acme_read(struct file *file, char __user *to, size_t length, loff_t *offset)
{
	char text[16];
	int size = acme_say(text, sizeof(text), queues);

	return simple_read_from_buffer(to, length, offset, text, size);
}

static const struct file_operations acme_files = {
	.owner = THIS_MODULE,
	.read = acme_read,
};

static struct miscdevice acme_device = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "acme",
	.fops = &acme_files,
};

static int __init acme_init(void)
{
	const struct firmware *firmware;
	int error = misc_register(&acme_device);

	if (error)
		return error;
	error = request_firmware(&firmware, "acme/acme.bin", acme_device.this_device);
	if (error) {
		misc_deregister(&acme_device);
		return error;
	}
	pr_info("acme: %u queues, %.*s\n", queues, (int)firmware->size, firmware->data);
	release_firmware(firmware);
	return 0;
}

static void __exit acme_exit(void)
{
	misc_deregister(&acme_device);
	pr_info("acme: gone\n");
}

module_init(acme_init);
module_exit(acme_exit);
