// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// Keeps whether an account is blacklisted in the top bit of its balance, as USDC does.
contract PackedToken {
    uint256 private constant FLAG = 1 << 255;
    uint256[8] private gap;
    mapping(address account => uint256) private balanceAndFlag;
    mapping(address account => mapping(address spender => uint256)) public allowance;

    function setFlag(address account) external {
        balanceAndFlag[account] |= FLAG;
    }

    function mint(address account, uint256 amount) external {
        balanceAndFlag[account] += amount;
    }

    function balanceOf(address account) external view returns (uint256) {
        return balanceAndFlag[account] & ~FLAG;
    }

    function isBlacklisted(address account) external view returns (bool) {
        return balanceAndFlag[account] & FLAG != 0;
    }
}
